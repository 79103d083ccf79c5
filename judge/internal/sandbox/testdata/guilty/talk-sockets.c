// verdict: AC
// why: two runs at the same time cannot talk: by abstract sockets, sockets and files in temporary folders, or pipes by name
// runs: together
// gaps: rlimit=WA
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int met(const char *how) {
	printf("broke: met the other run by %s\n", how);
	unlink("/tmp/guilty-talk");
	unlink("/dev/shm/guilty-talk");
	return 0;
}

static const char *files[] = {"/tmp/guilty-talk", "/dev/shm/guilty-talk"};

// Each run leaves a mark at every meeting place, and looks for the other's.
int main(void) {
	struct sockaddr_un name = {AF_UNIX, "\0guilty-talk"};
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + 12;
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	if (bind(s, (struct sockaddr *)&name, size) != 0) return met("an abstract socket");
	for (int f = 0; f < 2; f++)
		if (mkfifo(files[f], 0600) != 0) return met(files[f]);
	struct timespec pause = {0, 20000000};
	for (int look = 0; look < 75; look++) {
		// The second run has found the marks of this one, and removed the files.
		for (int f = 0; f < 2; f++)
			if (access(files[f], F_OK)) return met(files[f]);
		nanosleep(&pause, 0);
	}
	for (int f = 0; f < 2; f++) unlink(files[f]);
	puts("held");
	return 0;
}
