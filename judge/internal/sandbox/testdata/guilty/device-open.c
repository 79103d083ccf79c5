// verdict: AC
// why: there are no devices but five harmless ones
// gaps: rlimit=WA
#include <fcntl.h>
#include <stdio.h>

int main(void) {
	// Ordinary users may open the last one everywhere, and some others on most hosts.
	static const char *forbidden[] = {"/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/tty", "/dev/console", "/dev/vda", "/dev/sda",
		"/dev/nvme0n1", "/dev/kvm", "/dev/fuse", "/dev/loop-control", "/dev/net/tun", "/dev/uinput", "/dev/cpu/0/msr", "/dev/vsock", "/dev/ptmx"};
	for (unsigned i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
		if (open(forbidden[i], O_RDONLY | O_NONBLOCK) >= 0 || open(forbidden[i], O_WRONLY | O_NONBLOCK) >= 0)
			return printf("broke: %s opens\n", forbidden[i]), 0;
	puts("held");
	return 0;
}
