// verdict: CE
// why: a thousand million instructions
// says: memory limit|CPU time|File size limit

__asm__(".rept 1000000000\nnop\n.endr");
int main(void) { return 0; }
