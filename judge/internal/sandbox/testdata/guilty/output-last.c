// verdict: OLE
// why: output that is still in the pipe when the program exits counts against the limit
// limits: output=4KiB
#include <string.h>
#include <unistd.h>

int main(void) {
	char block[4097];
	memset(block, 'x', sizeof block);
	return write(1, block, sizeof block) != sizeof block;
}
