// verdict: OLE
// why: a single call may write far more than is allowed
#include <sys/uio.h>

int main(void) {
	static char block[1 << 20];
	struct iovec parts[64];
	for (int i = 0; i < 64; i++) parts[i] = (struct iovec){block, sizeof block};
	for (;;) writev(1, parts, 64);
}
