// verdict: AC
// why: timers take kernel memory, so that all processes of a run may have no more than 4,096, which is 2 MiB
// limits: memory=16MiB
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	int go[2], made[2], all = 0, n;
	char c;
	if (pipe(go) || pipe(made)) return 1;
	for (int i = 0; i < 4; i++)
		if (fork() == 0) {
			close(go[1]);
			struct sigevent quiet = {.sigev_notify = SIGEV_NONE};
			timer_t timer;
			for (n = 0; n < 3000 && timer_create(CLOCK_MONOTONIC, &quiet, &timer) == 0;) n++;
			write(made[1], &n, sizeof n);
			read(go[0], &c, 1); // until all have counted
			_exit(0);
		}
	for (int i = 0; i < 4; i++)
		if (read(made[0], &n, sizeof n) == sizeof n) all += n;
	close(go[1]);
	while (wait(0) > 0) {
	}
	if (all > 4096) printf("broke: %d timers\n", all);
	else puts("held");
	return 0;
}
