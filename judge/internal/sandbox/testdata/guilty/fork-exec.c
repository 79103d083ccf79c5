// verdict: AC
// why: a program that starts itself again and again counts as one more process each time
// limits: cpu=60s, wall=180s, memory=1GiB
// gaps: rlimit:root=WA
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **args) {
	int depth = count > 1 ? atoi(args[1]) : 0;
	if (depth == 1500) {
		puts("broke: 1500 programs at a time");
		return 0;
	}
	pid_t pid = fork();
	if (pid < 0) {
		puts("held");
		return 0;
	}
	if (pid == 0) {
		char text[16];
		snprintf(text, sizeof text, "%d", depth + 1);
		execl("/proc/self/exe", "again", text, (char *)0);
		_exit(1);
	}
	wait(0);
	return 0;
}
