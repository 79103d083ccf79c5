/* OLE: writes for ever. */
#include <stdio.h>

int main(void) {
	for (;;)
		puts("3");
}
