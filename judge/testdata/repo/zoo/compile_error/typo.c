/* CE: uses a name that is not declared. */
#include <stdio.h>

int main(void) {
	printf("%d\n", total);
	return 0;
}
