/* NO: adds the two numbers, and keeps the sum to itself. */
#include <stdio.h>

int main(void) {
	long a, b;
	if (scanf("%ld %ld", &a, &b) == 2)
		a += b;
	return 0;
}
