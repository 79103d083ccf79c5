// verdict: AC
// why: calls that runtimes probe are refused as on a kernel without them: shared memory that outlives a run, io_uring, perf, new calls
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	long call;
} calls[] = {
	{"clone3", 435}, {"io_uring_setup", 425}, {"io_uring_enter", 426}, {"io_uring_register", 427},
	{"perf_event_open", SYS_perf_event_open}, {"memfd_secret", 447},
	{"shmget", SYS_shmget}, {"shmat", SYS_shmat}, {"shmctl", SYS_shmctl}, {"msgget", SYS_msgget}, {"semget", SYS_semget},
	{"mq_open", SYS_mq_open},
};

int main(void) {
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		if (syscall(calls[i].call, -1, -1, -1, -1, -1) != -1 || errno != ENOSYS) return printf("broke: %s: %m\n", calls[i].name), 0;
	for (long call = 467; call < 1024; call++)
		if (syscall(call, -1, -1, -1, -1, -1) != -1 || errno != ENOSYS) return printf("broke: call %ld: %m\n", call), 0;
	puts("held");
	return 0;
}
