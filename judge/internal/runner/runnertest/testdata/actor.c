/* Does what its arguments say, one after the other: each time a word and what it is about. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void copy(const char *from, const char *to)
{
	FILE *in = fopen(from, "r"), *out = to ? fopen(to, "w") : stdout;
	int c;
	if (!in || !out)
		exit(90);
	while ((c = getc(in)) != EOF)
		putc(c, out);
	fclose(in);
	if (to)
		fclose(out);
}

int main(int argc, char **argv)
{
	char line[1 << 12];
	for (char **at = argv + 1; at < argv + argc - 1;) {
		char *word = *at++, *about = *at++;
		long n = atol(about);
		if (!strcmp(word, "exit"))
			exit(n);
		else if (!strcmp(word, "raise"))
			raise(n);
		else if (!strcmp(word, "burn")) /* milliseconds of CPU time */
			while (clock() < n * (CLOCKS_PER_SEC / 1000))
				;
		else if (!strcmp(word, "sleep")) /* seconds */
			sleep(n);
		else if (!strcmp(word, "touch")) { /* MiB of memory */
			volatile char *p = malloc(n << 20);
			for (long k = 0; k < n << 20; k += 4096)
				p[k] = 1;
		} else if (!strcmp(word, "print"))
			fputs(about, stdout), fflush(stdout);
		else if (!strcmp(word, "many")) /* bytes */
			for (; n > 0; n--)
				putchar('x');
		else if (!strcmp(word, "err"))
			fputs(about, stderr);
		else if (!strcmp(word, "errs")) { /* bytes */
			memset(line, 'x', sizeof line);
			for (; n > 0; n -= sizeof line)
				fwrite(line, 1, n < (long)sizeof line ? n : (long)sizeof line, stderr);
		}
		else if (!strcmp(word, "env"))
			fputs(getenv(about) ? getenv(about) : "unset", stdout);
		else if (!strcmp(word, "cat"))
			copy(about, NULL);
		else if (!strcmp(word, "save")) /* standard input */
			copy("/dev/stdin", about);
		else if (!strcmp(word, "link")) {
			if (symlink("/etc/passwd", about))
				exit(91);
		} else if (!strcmp(word, "there"))
			fputs(access(about, F_OK) ? "no" : "yes", stdout);
		else if (!strcmp(word, "expect")) { /* the beginning of a line */
			if (!fgets(line, sizeof line, stdin) || strncmp(line, about, strlen(about)))
				exit(92);
		} else
			exit(93);
	}
	return 0;
}
