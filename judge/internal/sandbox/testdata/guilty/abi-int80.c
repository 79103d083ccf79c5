// verdict: SV
// why: the 32-bit gate has other numbers for the same calls, so that a filter by number would not know them
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
#ifdef __x86_64__
	long pid;
	__asm__ volatile("int $0x80" : "=a"(pid) : "a"(20L) : "memory"); // getpid there, writev here
#else
	syscall(SYS_ptrace, 0, 0, 0, 0); // only amd64 has such a gate
#endif
	puts("broke: a 32-bit call");
	return 0;
}
