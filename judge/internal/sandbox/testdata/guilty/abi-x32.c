// verdict: SV
// why: x32 calls are those of amd64 under other numbers
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
#ifdef __x86_64__
	syscall(0x40000000 | SYS_getpid);
#else
	syscall(SYS_ptrace, 0, 0, 0, 0); // denied as well; only amd64 has x32 calls
#endif
	puts("broke: an x32 call");
	return 0;
}
