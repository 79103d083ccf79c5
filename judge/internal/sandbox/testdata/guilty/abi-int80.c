// verdict: SV
// why: int 0x80 makes 32-bit calls, whose numbers differ, so that a filter by number alone would not recognise them
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void forbidden(int signal) {
	syscall(SYS_ptrace, 0, 0, 0, 0);
}

int main(void) {
#ifdef __x86_64__
	long pid;
	signal(SIGSEGV, forbidden); // of a kernel without 32-bit calls
	__asm__ volatile("int $0x80" : "=a"(pid) : "a"(20L) : "memory"); // number 20: getpid in 32 bits, writev in 64
#else
	forbidden(0); // only amd64 has int 0x80
#endif
	puts("broke: a 32-bit call");
	return 0;
}
