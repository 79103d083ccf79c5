// verdict: OLE
// why: output of a child counts as output of the program
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	if (fork() == 0) {
		signed char block[4096] = {0};
		while (write(1, block, sizeof block) > 0) {
		}
		_exit(0);
	}
	wait(0);
	return 0;
}
