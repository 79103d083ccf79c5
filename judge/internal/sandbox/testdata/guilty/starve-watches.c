// verdict: AC
// why: no run takes all the inotify instances that the judge's account has on this machine
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

// Usually there are 128. This program leaves most of them to others.
int main(void) {
	for (int i = 0; i < 40; i++)
		if (inotify_init1(0) < 0) return puts("held"), 0;
	puts("broke: 40 instances");
	return 0;
}
