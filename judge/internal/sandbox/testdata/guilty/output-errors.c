// verdict: OLE
// why: standard error has a limit as well
// message: to standard error
// limits: cpu=20s
#include <unistd.h>

int main(void) {
	static char block[1 << 20];
	for (;;) write(2, block, sizeof block);
}
