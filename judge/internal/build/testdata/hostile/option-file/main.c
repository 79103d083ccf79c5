// verdict: CE
// why: a file whose name stands for a file of options
// says: @main.c: compilers read options from a file
// never: memory exhausted

int main(void) { return 0; }

