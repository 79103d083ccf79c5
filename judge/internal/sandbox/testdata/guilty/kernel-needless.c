// verdict: AC
// why: calls that no runtime needs are refused as on a kernel without them: a program's own filters, rules and seals, segments, hints, notices
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_modify_ldt
#define SYS_modify_ldt 1000 // only amd64 has it
#endif

static const struct {
	const char *name;
	long call;
} calls[] = {
	{"seccomp", SYS_seccomp}, {"modify_ldt", SYS_modify_ldt}, {"remap_file_pages", SYS_remap_file_pages},
	{"landlock_create_ruleset", 444}, {"landlock_add_rule", 445}, {"landlock_restrict_self", 446},
	{"lsm_get_self_attr", 459}, {"lsm_set_self_attr", 460}, {"lsm_list_modules", 461}, {"mseal", 462},
	{"process_madvise", 440}, {"process_mrelease", 448}, {"cachestat", 451}, {"statmount", 457}, {"listmount", 458},
	{"name_to_handle_at", SYS_name_to_handle_at}, {"inotify_add_watch", SYS_inotify_add_watch},
	{"semtimedop", SYS_semtimedop}, {"msgsnd", SYS_msgsnd}, {"mq_notify", SYS_mq_notify}, {"io_submit", SYS_io_submit},
	{"sched_setattr", SYS_sched_setattr}, {"lookup_dcookie", SYS_lookup_dcookie},
};

int main(void) {
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
		if (syscall(calls[i].call, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) return printf("broke: %s: %m\n", calls[i].name), 0;
	char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (prctl(0x53564d41, 0, page, 4096, "name") == 0) return puts("broke: a mapping has a name"), 0;
	static const int advice[] = {12, 21}; // MADV_MERGEABLE, MADV_PAGEOUT
	for (int i = 0; i < 2; i++)
		if (madvise(page, 4096, advice[i]) == 0) return printf("broke: advice %d\n", advice[i]), 0;
	int file = open("note", O_CREAT | O_RDWR, 0600), flags = 0;
	unsigned long hint = 2;
	if (fcntl(file, 1036, &hint) == 0 || fcntl(file, 1038, &hint) == 0) return puts("broke: a hint"), 0;
	if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) return puts("broke: a lease"), 0;
	if (ioctl(file, 0x80086601, &flags) == 0 || ioctl(file, 0x40086602, &flags) == 0) return puts("broke: flags of a file"), 0;
	puts("held");
	return 0;
}
