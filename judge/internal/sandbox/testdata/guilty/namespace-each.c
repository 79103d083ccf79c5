// verdict: AC
// why: no flag of unshare, clone or clone3 makes a namespace, and none of the new ways to mount works
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// stopped reports whether a child that makes the call dies of SIGSYS.
static int stopped(long call, long a, long b, long c, long d, long e) {
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		pid_t made = syscall(call, a, b, c, d, e);
		_exit(call == SYS_clone && made == 0 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

int main(void) {
	static const long flags[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (!stopped(SYS_unshare, flags[i], 0, 0, 0, 0)) return printf("broke: unshare %lx\n", flags[i]), 0;
		if (!stopped(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0)) return printf("broke: clone %lx\n", flags[i]), 0;
		// The upper half of the argument is not looked at, neither here nor by the kernel.
		if (!stopped(SYS_clone, flags[i] | SIGCHLD | 1L << 40, 0, 0, 0, 0)) return printf("broke: clone %lx with high bits\n", flags[i]), 0;
		struct clone_args args = {.flags = flags[i], .exit_signal = SIGCHLD};
		if (syscall(SYS_clone3, &args, sizeof args) >= 0 || errno != ENOSYS) return printf("broke: clone3 %lx: %m\n", flags[i]), 0;
	}
	static const long calls[] = {SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428 /* open_tree */, 429 /* move_mount */,
		430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */};
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		if (!stopped(calls[i], -1, 0, 0, 0, 0)) return printf("broke: call %ld\n", calls[i]), 0;
	// open_tree_attr, newer than the rest
	if (syscall(467, -1, 0, 0, 0, 0) >= 0 || errno != ENOSYS) return printf("broke: open_tree_attr: %m\n"), 0;
	puts("held");
	return 0;
}
