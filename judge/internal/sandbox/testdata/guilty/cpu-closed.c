// verdict: TLE
// why: a program that closes its descriptors has not ended
// limits: cpu=300ms
#include <unistd.h>

int main(void) {
	for (int fd = 0; fd < 1024; fd++) close(fd);
	for (volatile int i = 0;; i++) {
	}
}
