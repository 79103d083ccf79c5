// verdict: CE
// why: the assembler reads an endless file
// says: unable to include|incbin|memory limit|CPU time|File size limit

__asm__(".incbin \"/dev/zero\"");
int main(void) { return 0; }
