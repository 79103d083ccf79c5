// verdict: CE
// why: a file whose name stands for a file of options
// says: @main.c: compilers take such a name
// never: memory exhausted

int main(void) { return 0; }

