// verdict: AC
// why: a run cannot tell the next a number by the time of a folder's last change
// runs: twice
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { modulus = 1009, number = 777 };

static long note(void) {
	struct stat s;
	return stat(".", &s) ? -1 : s.st_mtim.tv_nsec % modulus;
}

// What is made and taken away leaves nothing to clean, and yet a time. It is
// chosen by trying until it says the number.
int main(void) {
	if (note() == number) return puts("broke: the run before said 777"), 0;
	for (int i = 0; i < 20000 && note() != number; i++) {
		close(open("file", O_CREAT, 0600));
		unlink("file");
	}
	puts("held");
	return 0;
}
