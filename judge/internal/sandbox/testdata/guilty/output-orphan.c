// verdict: AC
// why: the judge does not wait for what an orphan writes after its program has ended
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
	if (fork() == 0) {
		alarm(10);
		setsid();
		if (fork() > 0) _exit(0);
		alarm(10);
		sleep(2);
		for (int i = 0; i < 100; i++) write(1, "broke: from the grave\n", 22);
		_exit(0);
	}
	puts("held");
	return 0;
}
