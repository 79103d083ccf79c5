// verdict: AC
// why: a run cannot exhaust the machine's one pool of compiled filters, without which no jail can be made
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Each filter takes about 50 KiB of the pool. A listener keeps its filter alive when the process has ended.
static struct sock_filter list[2000];
static struct sock_fprog filter = {2000, list};

int main(void) {
	for (int i = 0; i < 1999; i++) list[i] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 77777 * i);
	list[1999] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	static const unsigned flags[] = {0, SECCOMP_FILTER_FLAG_NEW_LISTENER};
	for (int i = 0; i < 2; i++)
		if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &filter) >= 0) return puts("broke: by seccomp"), 0;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0) return puts("broke: by prctl"), 0;
	static const int options[] = {SO_ATTACH_FILTER, SO_ATTACH_REUSEPORT_CBPF}, types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	for (int o = 0; o < 2; o++)
		for (int t = 0; t < 3; t++) {
			int s = socket(AF_UNIX, types[t], 0);
			if (setsockopt(s, SOL_SOCKET, options[o], &filter, sizeof filter) == 0) return puts("broke: for a socket"), 0;
		}
	puts("held");
	return 0;
}
