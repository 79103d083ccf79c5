// verdict: AC
// why: a program cannot make itself one that does not start again
// runs: twice
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
	chmod("/proc/self/exe", 0);
	puts("held");
	return 0;
}
