// verdict: CE
// why: a file whose name stands for a file of options
// says: @main.c:1
// never: memory exhausted

int main(void) { return 0; }

