// verdict: SV
// why: a program must not even ask to be traced
#include <stdio.h>
#include <sys/ptrace.h>

int main(void) {
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	puts("broke: ptrace");
	return 0;
}
