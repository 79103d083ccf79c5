// verdict: AC
// why: requests for namespaces and mounts that need not stop the run fail: clone3 with every flag, a cgroup namespace, the newest way to mount
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
	static const long flags[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		struct clone_args args = {.flags = flags[i], .exit_signal = SIGCHLD};
		if (syscall(SYS_clone3, &args, sizeof args) >= 0 || errno != ENOSYS) return printf("broke: clone3 %lx: %m\n", flags[i]), 0;
	}
	if (syscall(SYS_unshare, CLONE_NEWCGROUP) >= 0 || errno != EPERM) return printf("broke: unshare: %m\n"), 0;
	// open_tree_attr, newer than the rest
	if (syscall(467, -1, 0, 0, 0, 0) >= 0 || errno != ENOSYS) return printf("broke: open_tree_attr: %m\n"), 0;
	puts("held");
	return 0;
}
