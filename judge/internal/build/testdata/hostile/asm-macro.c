// verdict: CE
// why: an assembler macro that calls itself twice
// says: memory limit|CPU time|nested

__asm__(".macro m n\n.if \\n\nm \"(\\n-1)\"\nm \"(\\n-1)\"\n.endif\n.endm\nm 60");
int main(void) { return 0; }
