// verdict: CE
// why: sixteen gigabytes in one line of assembler
// says: File size limit|memory limit|CPU time|No space left

__asm__(".fill 0x7fffffff, 8, 1");
int main(void) { return 0; }
