/* SV: makes a system call that the sandbox denies. */
#include <sys/ptrace.h>
#include <stddef.h>

int main(void) {
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	return 0;
}
