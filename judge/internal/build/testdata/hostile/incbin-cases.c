// verdict: CE
// why: the assembler reads files as well
// says: file not found|open

__asm__(".incbin \"@CASES@\"");
int main(void) { return 0; }
