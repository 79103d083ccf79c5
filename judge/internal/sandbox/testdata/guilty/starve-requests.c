// verdict: AC
// why: a run cannot exhaust the asynchronous requests (aio) that the whole machine shares
#include <linux/aio_abi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	aio_context_t queue = 0;
	if (syscall(SYS_io_setup, 8192, &queue) == 0) return puts("broke: 8192 of usually 65536 requests"), 0;
	puts("held");
	return 0;
}
