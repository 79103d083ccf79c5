/* One of two programs that talk: does what the letters of its last argument say, a number
   in between being a delay in microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char line[64];
static char block[1024];

static int hear(void) { /* a line; 0 at the end */
	for (size_t n = 0; n < sizeof line - 1; n++) {
		if (read(0, line + n, 1) != 1)
			return 0;
		if (line[n] == '\n') {
			line[n] = 0;
			return 1;
		}
	}
	return 0;
}

static void say(const char *text) {
	if (write(1, text, strlen(text)) < 0)
		_exit(90);
}

int main(int argc, char **argv) {
	for (char *act = argv[argc - 1]; *act; act++) {
		if (*act >= '0' && *act <= '9') {
			usleep(strtol(act, &act, 10));
			act--;
			continue;
		}
		switch (*act) {
		case 'w': say("right\n"); break;
		case 'x': say("wrong\n"); break;
		case 'b': /* 200 KiB */
		case 'f': /* no end of it */
			memset(block, 'b', sizeof block);
			for (int i = 0; *act == 'f' || i < 200; i++)
				if (write(1, block, sizeof block) < 0)
					_exit(90);
			break;
		case 'r': if (!hear()) _exit(2); break;
		case 'e': while (read(0, block, sizeof block) > 0); break;
		case 'j': /* judges a line */
			if (!hear() || strcmp(line, "right")) _exit(43);
			break;
		case 'z': usleep(1000); break;
		case 'i': close(0); break;
		case 'o': close(1); break;
		case 'a': abort();
		case 'k': _exit(0);
		case 'n': _exit(1);
		case 'A': _exit(42);
		case 'R': _exit(43);
		}
	}
	return 0;
}
