// verdict: SV
// why: a denied call counts for the whole run, whichever process makes it and whatever that does about signals
// gaps: rlimit=WA
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void go_on(int signal) { (void)signal; }

int main(void) {
	if (fork() == 0) {
		signal(SIGSYS, go_on);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		_exit(0);
	}
	wait(0);
	puts("broke: ptrace in a child");
	return 0;
}
