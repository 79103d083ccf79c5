// verdict: RTE
// why: a correct output does not excuse an exit status other than 0
// message: status 7
#include <stdio.h>

int main(void) {
	puts("held");
	return 7;
}
