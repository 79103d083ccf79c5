/* Counts. */
#include <stdio.h>

int main(void) {
	int a, b;
	if (scanf("%d %d", &a, &b) != 2)
		return 1;
	for (; b > 0; b--)
		a++;
	printf("%d\n", a);
	return 0;
}
