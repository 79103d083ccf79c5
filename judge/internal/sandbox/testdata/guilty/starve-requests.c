// verdict: AC
// why: the whole machine shares a number of asynchronous requests, which one run could take
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
