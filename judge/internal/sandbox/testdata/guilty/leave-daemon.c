// verdict: AC
// why: no daemon outlives its run: not one that ignores signals, one that is stopped, or one that is a child of the init
// runs: twice
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

// If a daemon outlives the run, the next run finds it by its socket. Daemons end by themselves.
int main(void) {
	struct sockaddr_un name = {AF_UNIX, "\0guilty-leave-daemon"};
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + 20;
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(s, (struct sockaddr *)&name, size) == 0) return puts("broke: a daemon of the run before answers"), 0;
	if (bind(s, (struct sockaddr *)&name, size) || listen(s, 8)) return puts("broke: its name is taken"), 0;
	int ready[2];
	if (pipe(ready)) return 1;
	for (int kind = 0; kind < 4; kind++) {
		// The last kind becomes a child of the init at once.
		pid_t pid = kind == 3 ? syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) : fork();
		if (pid) continue;
		if (kind == 2) prctl(PR_SET_CHILD_SUBREAPER, 1);
		setsid();
		if (kind != 3 && fork()) _exit(0);
		close(0), close(1), close(2), close(ready[0]);
		for (int i = 1; i < 65; i++)
			if (i != SIGALRM) signal(i, SIG_IGN);
		prctl(PR_SET_PDEATHSIG, 0);
		alarm(5);
		close(ready[1]);
		if (kind == 1 && access("/etc/passwd", F_OK)) raise(SIGSTOP); // not on the host, where it would stay stopped for ever
		for (;;) pause();
	}
	// This read ends when all daemons are set up and have closed the pipe.
	char none;
	close(ready[1]);
	read(ready[0], &none, 1);
	puts("held");
	return 0;
}
