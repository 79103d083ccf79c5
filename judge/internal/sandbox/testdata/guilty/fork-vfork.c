// verdict: AC
// why: processes made by vfork count against the process limit; each is the suspended parent of the next
// limits: memory=1GiB
// gaps: rlimit:root=WA
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
	for (volatile int i = 0; i < 1500; i++) {
		pid_t pid = vfork();
		if (pid > 0) { // the child has ended
			wait(0);
			_exit(0);
		}
		if (pid < 0) {
			write(1, "held\n", 5);
			_exit(0);
		}
	}
	write(1, "broke: 1500 processes at a time\n", 32);
	_exit(0);
}
