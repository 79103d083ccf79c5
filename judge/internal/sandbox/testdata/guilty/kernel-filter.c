// verdict: AC
// why: the filter holds whatever a program installs beside it, in a copy of itself, and after another execve
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int listener;

// agree answers every question of the kernel with: go on.
static void *agree(void *unused) {
	for (;;) {
		struct seccomp_notif ask = {0};
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &ask)) return unused;
		struct seccomp_notif_resp answer = {.id = ask.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

// dies reports whether a child that does what it does dies of SIGSYS.
static int dies(void (*what)(void)) {
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		what();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static void plain(void) { ptrace(PTRACE_TRACEME, 0, 0, 0); }

// notified asks a friendly supervisor about ptrace.
static void notified(void) {
	struct sock_filter list[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, list};
	listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	pthread_t thread;
	pthread_create(&thread, 0, agree, 0);
	plain();
}

static void undone(void) {
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_DISABLED, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
	plain();
}

// executed runs this program again, from a file in memory.
static void executed(void) {
	int self = open("/proc/self/exe", O_RDONLY), copy = memfd_create("copy", 0);
	while (sendfile(copy, self, 0, 1 << 20) > 0);
	char *arguments[] = {"again", "ptrace", 0}, *none[] = {0};
	fexecve(copy, arguments, none);
	puts("broke: a file in memory does not run");
}

int main(int argc, char **argv) {
	if (argc > 1) plain();
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return puts("broke: new privileges may be had"), 0;
	if (!dies(plain)) return puts("broke: as it is"), 0;
	if (!dies(notified)) return puts("broke: with a supervisor"), 0;
	if (!dies(undone)) return puts("broke: after taking it back"), 0;
	if (!dies(executed)) return puts("broke: after another execve"), 0;
	puts("held");
	return 0;
}
