// verdict: AC
// why: a program can make no devices, and cannot type into a terminal
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int main(void) {
	static const char *places[] = {"memory", "/tmp/guilty-memory", "/dev/shm/guilty-memory"};
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
		if (mknod(places[i], S_IFCHR | 0666, makedev(1, 1)) == 0 || mknod(places[i], S_IFBLK | 0666, makedev(254, 0)) == 0)
			return unlink(places[i]), printf("broke: a device made as %s\n", places[i]), 0;
	for (int fd = 0; fd < 3; fd++)
		if (ioctl(fd, TIOCSTI, "x") == 0 || ioctl(fd, TIOCSCTTY, 0) == 0 || isatty(fd))
			return printf("broke: descriptor %d is a terminal\n", fd), 0;
	// A program may write entropy, but not change the kernel's count of it.
	int random = open("/dev/urandom", O_RDWR), count = 8;
	if (random >= 0 && ioctl(random, _IOW('R', 0x01, int), &count) == 0) return puts("broke: the count of entropy changed"), 0;
	puts("held");
	return 0;
}
