// verdict: OLE
// why: more output than allowed
#include <stdio.h>

int main(void) {
	for (;;) puts("held");
}
