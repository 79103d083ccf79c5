// verdict: AC
// why: a program cannot set the clock, names, ports or other things of the whole machine
// gaps: rlimit:root=WA
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/io.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int main(void) {
	if (geteuid() == 0 && access("/etc/passwd", F_OK) == 0) return puts("broke: root of the host, and that is left alone"), 0;
	struct timespec now;
	struct timeval old;
	clock_gettime(CLOCK_REALTIME, &now);
	gettimeofday(&old, 0);
	if (clock_settime(CLOCK_REALTIME, &now) == 0 || settimeofday(&old, 0) == 0) return puts("broke: the clock"), 0;
	struct timex tune = {.modes = ADJ_TICK, .tick = 10000};
	if (adjtimex(&tune) != -1 || clock_adjtime(CLOCK_REALTIME, &tune) != -1) return puts("broke: the pace of the clock"), 0;
	char name[64] = "";
	gethostname(name, sizeof name);
	if (sethostname(name, strlen(name)) == 0 || setdomainname(name, strlen(name)) == 0) return puts("broke: the name of the host"), 0;
#ifdef SYS_iopl
	if (iopl(3) == 0 || ioperm(0x80, 1, 1) == 0) return puts("broke: ports"), 0;
#endif
	if (fanotify_init(FAN_CLASS_CONTENT, 0) >= 0) return puts("broke: fanotify"), 0;
	if (vhangup() == 0) return puts("broke: vhangup"), 0;
	static const char *settings[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe",
		"/proc/sys/vm/drop_caches", "/proc/sys/net/core/somaxconn", "/proc/sys/user/max_user_namespaces",
		"/proc/kcore", "/proc/kallsyms", "/proc/keys", "/proc/kmsg", "/proc/timer_list", "/sys/kernel/uevent_helper"};
	for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++)
		if (access(settings[i], W_OK) == 0) return printf("broke: %s is writable\n", settings[i]), 0;
	puts("held");
	return 0;
}
