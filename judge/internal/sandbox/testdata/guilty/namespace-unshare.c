// verdict: SV
// why: a new user namespace would give the program every capability inside it
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>

int main(void) {
	unshare(CLONE_NEWUSER);
	puts("broke: unshare");
	return 0;
}
