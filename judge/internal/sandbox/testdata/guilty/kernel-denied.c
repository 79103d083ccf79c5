// verdict: AC
// why: every call that no solution needs ends the process that makes it
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The arguments mean nothing, so that a call that is let through does no harm.
static const struct {
	const char *name;
	long call;
} calls[] = {
	{"ptrace", SYS_ptrace}, {"process_vm_readv", SYS_process_vm_readv}, {"process_vm_writev", SYS_process_vm_writev},
	{"keyctl", SYS_keyctl}, {"add_key", SYS_add_key}, {"request_key", SYS_request_key}, {"bpf", SYS_bpf},
	{"userfaultfd", SYS_userfaultfd}, {"kexec_load", SYS_kexec_load}, {"kexec_file_load", SYS_kexec_file_load},
	{"reboot", SYS_reboot}, {"init_module", SYS_init_module}, {"finit_module", SYS_finit_module},
	{"delete_module", SYS_delete_module}, {"open_by_handle_at", SYS_open_by_handle_at}, {"quotactl", SYS_quotactl},
	{"quotactl_fd", 443}, {"acct", SYS_acct}, {"swapon", SYS_swapon}, {"swapoff", SYS_swapoff}, {"syslog", SYS_syslog},
};

int main(void) {
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
		int status = 0;
		pid_t pid = fork();
		if (pid == 0) {
			syscall(calls[i].call, -1, -1, -1, -1, -1);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS) return printf("broke: %s\n", calls[i].name), 0;
	}
	puts("held");
	return 0;
}
