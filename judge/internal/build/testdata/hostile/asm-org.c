// verdict: CE
// why: half a terabyte in one line of assembler
// says: File size limit|memory limit|CPU time|No space left|org

__asm__(".data\n.org 0x7fffffffff\n.byte 1\n.text");
int main(void) { return 0; }
