// verdict: SV
// why: a file handle opens a file without a path that leads to it
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	syscall(SYS_open_by_handle_at, -1, 0, 0);
	puts("broke: open_by_handle_at");
	return 0;
}
