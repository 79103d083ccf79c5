/* MLE: takes memory, and writes to it, until it is stopped. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
	for (int i = 0; i < 4096; i++) {
		char *p = malloc(1 << 20);
		if (p == NULL)
			break;
		memset(p, i | 1, 1 << 20);
	}
	for (;;)
		pause();
}
