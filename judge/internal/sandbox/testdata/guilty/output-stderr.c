// verdict: AC
// why: standard error is read, but only its end is kept
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 20];
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 32; i++) write(2, block, sizeof block);
	puts("held");
	return 0;
}
