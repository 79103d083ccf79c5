// verdict: TLE
// why: closing its descriptors does not make a program one that has ended
// limits: cpu=300ms
#include <unistd.h>

int main(void) {
	for (int fd = 0; fd < 1024; fd++) close(fd);
	for (volatile int i = 0;; i++) {
	}
}
