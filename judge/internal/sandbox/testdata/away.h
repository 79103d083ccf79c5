// Ways in which a process can leave the tree of those that its program started. guilty/*-away.c do in
// such a process what a limit forbids.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int ends[2];        // of a pipe by which the process that left tells that it has succeeded
static void act(void); // what a process that has left does; it returns if nothing stops it
static void succeed(void) { if (write(ends[1], "x", 1) != 1) abort(); }

static void *go(void *none) {
	alarm(30); // ends it if the jail does not
	act();
	_exit(0);
	return none;
}

static void orphan(void) {
	pid_t parent = getpid();
	if (fork()) _exit(0);
	while (getppid() == parent) usleep(1000);
}

#define is(name) (strcmp(way, name) == 0)

// away lets a process act that has left in the given way, and returns whether it has succeeded.
static int away(const char *way) {
	char c;
	if (pipe(ends)) exit(1);
	pid_t pid = is("clone-parent") ? syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) : fork();
	if (pid == 0) {
		if (is("double-fork")) orphan(), go(0);
		setsid();
		if (is("daemon")) orphan();
		if (is("dead-leader")) {
			pthread_t other;
			if (pthread_create(&other, 0, go, 0)) _exit(1);
			syscall(SYS_exit, 0); // of this thread alone
		}
		if (is("vfork-orphan") && (pid = vfork()) == 0) {
			kill(getppid(), SIGKILL); // which waits, and lends its memory
			go(0);
		}
		go(0);
	}
	close(ends[1]);
	return read(ends[0], &c, 1) == 1; // or all have ended
}
