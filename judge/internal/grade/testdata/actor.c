/* Does what its input says, a word and numbers a line, and prints "done" at the end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In microseconds, of this thread: where there is a limit of CPU time, the kernel adds up
   that of a process at its ticks alone. */
static long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void burn(long us) {
	for (long start = now(); now() - start < us;)
		for (volatile int i = 0; i < 1000; i++)
			;
}

static void until(long us) { /* from its start */
	while (now() < us)
		for (volatile int i = 0; i < 1000; i++)
			;
}

static void *thread(void *us) {
	burn(*(long *)us);
	return NULL;
}

int main(void) {
	char word[32];
	long n, us;
	while (scanf("%31s %ld %ld", word, &n, &us) == 3) {
		if (!strcmp(word, "until")) {
			until(us);
		} else if (!strcmp(word, "burn")) {
			burn(us);
		} else if (!strcmp(word, "sleep")) {
			usleep(us);
		} else if (!strcmp(word, "mix")) { /* n times a little work and a little sleep */
			for (int i = 0; i < n; i++) {
				burn(us);
				usleep(us);
			}
		} else if (!strcmp(word, "threads")) { /* n at the same time */
			pthread_t t[16];
			for (int i = 0; i < n; i++)
				if (pthread_create(&t[i], NULL, thread, &us))
					return 1;
			for (int i = 0; i < n; i++)
				pthread_join(t[i], NULL);
		} else if (!strcmp(word, "children") || !strcmp(word, "parallel")) { /* one after the other, or at the same time */
			for (int i = 0; i < n; i++) {
				pid_t child = fork();
				if (child == 0) {
					burn(us);
					_exit(0);
				}
				if (child < 0 || word[0] == 'c' && wait(NULL) < 0)
					return 1;
			}
			while (wait(NULL) > 0)
				;
		} else if (!strcmp(word, "chain")) { /* n times us in all: n children one after the other, or fewer where forks cost much */
			long start = now();
			for (long i = 0; now() - start + i * us < n * us; i++) {
				pid_t child = fork();
				if (child == 0) {
					until(us);
					_exit(0);
				}
				if (child < 0 || wait(NULL) < 0)
					return 1;
			}
		} else if (!strcmp(word, "turns")) { /* two processes take turns, n times each */
			int to[2], from[2];
			char c = 0;
			if (pipe(to) || pipe(from))
				return 1;
			pid_t child = fork();
			if (child == 0) {
				for (int i = 0; i < n && read(to[0], &c, 1) == 1; i++) {
					burn(us);
					if (write(from[1], &c, 1) != 1)
						_exit(1);
				}
				_exit(0);
			}
			for (int i = 0; i < n; i++) {
				burn(us);
				if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
					return 1;
			}
			wait(NULL);
		} else if (!strcmp(word, "print")) { /* n KiB */
			static char line[1024];
			memset(line, 'x', 1023);
			line[1023] = '\n';
			for (int i = 0; i < n; i++)
				fwrite(line, 1024, 1, stdout);
			fflush(stdout);
		} else {
			return 1;
		}
	}
	puts("done");
	return 0;
}
