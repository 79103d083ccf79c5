// verdict: AC
// why: stopping its parent would stop the judge, so the parent must be out of reach or immune
// runs: twice
// gaps: rlimit=WA
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	pid_t parent = getppid();
	if (parent > 1 && kill(parent, 0) == 0) {
		printf("broke: may signal its parent %d\n", parent);
		return 0;
	}
	kill(1, SIGSTOP);
	puts("held");
	return 0;
}
