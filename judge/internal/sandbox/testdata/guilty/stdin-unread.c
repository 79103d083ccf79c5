// verdict: AC
// why: an input need not be read, however large it is
// stdin: 50MiB
#include <stdio.h>

int main(void) {
	puts("held");
	return 0;
}
