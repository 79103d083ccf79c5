/* Prints the sum of two integers. */
#include <stdio.h>

int main(void) {
	int a, b;
	if (scanf("%d %d", &a, &b) != 2)
		return 3;
	printf("%d\n", a + b);
	return 0;
}
