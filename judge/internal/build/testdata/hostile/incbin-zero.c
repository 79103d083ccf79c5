// verdict: CE
// why: the assembler and a file without end
// says: unable to include|incbin|memory limit|CPU time|File size limit

__asm__(".incbin \"/dev/zero\"");
int main(void) { return 0; }
