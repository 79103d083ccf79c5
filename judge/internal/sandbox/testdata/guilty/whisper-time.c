// verdict: AC
// why: a run cannot pass a number to the next by the time of a folder's last change
// runs: twice
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { modulus = 1009, number = 777 };

static long note(void) {
	struct stat s;
	return stat(".", &s) ? -1 : s.st_mtim.tv_nsec % modulus;
}

// A file that is made and removed leaves nothing to clean, but changes the folder's time. The program repeats
// that until the time encodes the number, or half of the time limit is over.
int main(void) {
	if (note() == number) return puts("broke: the run before said 777"), 0;
	while (note() != number && clock() < CLOCKS_PER_SEC / 2) {
		close(open("file", O_CREAT, 0600));
		unlink("file");
	}
	puts("held");
	return 0;
}
