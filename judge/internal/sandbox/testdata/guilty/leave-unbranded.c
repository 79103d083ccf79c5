// verdict: AC
// why: no daemon outlives its run that has given up what marks the processes of a run without a container
// runs: twice
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// If the daemon outlives the run, the next run finds it by its socket. It ends by itself.
int main(void) {
	struct sockaddr_un name = {AF_UNIX, "\0guilty-leave-unbranded"};
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + 23;
	int s = socket(AF_UNIX, SOCK_STREAM, 0), ready[2];
	char none;
	if (connect(s, (struct sockaddr *)&name, size) == 0) return puts("broke: a daemon of the run before answers"), 0;
	if (bind(s, (struct sockaddr *)&name, size) || listen(s, 8)) return puts("broke: its name is taken"), 0;
	if (pipe(ready)) return 1;
	if (fork() == 0) {
		struct rlimit less = {1000, 1000};
		setrlimit(RLIMIT_LOCKS, &less);
		setsid();
		if (fork()) _exit(0);
		alarm(5);
		close(0), close(1), close(2), close(ready[0]), close(ready[1]);
		for (;;) pause();
	}
	close(ready[1]);
	read(ready[0], &none, 1); // ends when the daemon is set up
	puts("held");
	return 0;
}
