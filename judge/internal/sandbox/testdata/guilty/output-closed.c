// verdict: NO
// why: a program that closes standard output has written nothing
#include <stdio.h>
#include <unistd.h>

int main(void) {
	close(1);
	puts("held");
	return 0;
}
