// verdict: RTE
// why: the right output does not excuse the status
// says: status 7
#include <stdio.h>

int main(void) {
	puts("held");
	return 7;
}
