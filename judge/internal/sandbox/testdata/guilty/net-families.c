// verdict: AC
// why: there are only local sockets: no IP, packet, netlink, vsock, crypto, bluetooth
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
	for (int family = -1; family < 64; family++)
		for (int type = 0; type < 12; type++) {
			if (family == AF_UNIX) continue;
			static const int protocols[] = {0, 1, 6, 15, 17, 132, 255, 768};
			for (unsigned i = 0; i < sizeof protocols / sizeof *protocols; i++) {
				int pair[2];
				if (socket(family, type, protocols[i]) >= 0 || errno != EAFNOSUPPORT)
					return printf("broke: family %d type %d protocol %d: %m\n", family, type, protocols[i]), 0;
				if (socketpair(family, type, protocols[i], pair) == 0 || errno != EAFNOSUPPORT)
					return printf("broke: a pair of family %d type %d: %m\n", family, type), 0;
			}
		}
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return puts("broke: runtimes need local sockets"), 0;
	puts("held");
	return 0;
}
