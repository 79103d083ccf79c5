// verdict: AC
// why: no run notices who opens the files of the system, on the host or in another jail
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(void) {
	int watch = inotify_init1(IN_NONBLOCK);
	if (watch >= 0 && inotify_add_watch(watch, "/etc", IN_OPEN | IN_ACCESS) >= 0) return puts("broke: told of every look at the folder"), 0;
	if (fcntl(open("/etc", O_RDONLY), F_NOTIFY, DN_ACCESS) == 0) return puts("broke: told by a signal"), 0;
	if (fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, 0) >= 0) return puts("broke: told by fanotify"), 0;
	puts("held");
	return 0;
}
