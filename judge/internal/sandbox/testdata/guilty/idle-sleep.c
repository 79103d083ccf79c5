// verdict: ILE
// why: asleep over the wall limit
// limits: wall=1s
#include <stdio.h>
#include <unistd.h>

int main(void) {
	sleep(20);
	puts("broke: slept 20 seconds");
	return 0;
}
