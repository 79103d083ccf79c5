// verdict: CE
// why: a file name that gcc would read as a file of options
// says: @main.c: compilers read options from a file
// never: memory exhausted

int main(void) { return 0; }

