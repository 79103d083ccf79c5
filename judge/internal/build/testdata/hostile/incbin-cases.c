// verdict: CE
// why: the assembler can read files, too
// says: file not found|open

__asm__(".incbin \"@CASES@\"");
int main(void) { return 0; }
