// verdict: SV
// why: keys outlive the process that adds them
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	syscall(SYS_add_key, "user", "guilty", "note", 4, -3);
	puts("broke: add_key");
	return 0;
}
