// verdict: SV
// why: the calls of x32 are those of amd64 by other numbers
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
#ifdef __x86_64__
	syscall(0x40000000 | SYS_getpid);
#else
	syscall(SYS_ptrace, 0, 0, 0, 0); // only amd64 has them
#endif
	puts("broke: an x32 call");
	return 0;
}
