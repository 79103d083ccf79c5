// verdict: SV
// why: the filter holds whatever filters a program asks for, and also after another execve
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
	if (argc > 1) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		puts("broke: after another execve");
		return 0;
	}
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return puts("broke: new privileges may be had"), 0;
	// A filter whose supervisor could allow everything.
	struct sock_filter list[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)};
	struct sock_fprog program = {1, list};
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0) return puts("broke: a supervisor"), 0;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_DISABLED, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
	int self = open("/proc/self/exe", O_RDONLY), copy = memfd_create("copy", 0);
	while (sendfile(copy, self, 0, 1 << 20) > 0);
	char *arguments[] = {"again", "ptrace", 0}, *none[] = {0};
	fexecve(copy, arguments, none);
	puts("broke: a file in memory does not run");
	return 0;
}
