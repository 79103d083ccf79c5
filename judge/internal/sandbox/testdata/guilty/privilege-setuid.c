// verdict: AC
// why: the setuid programs of the system give no privilege: they run as the account that starts them
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The programs have no arguments and no terminal, so they end by themselves. While they wait for input, their
// user id and capabilities are read.
int main(void) {
	static const char *programs[] = {"/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/sudo", "/usr/bin/ping"};
	for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct stat s;
		if (stat(programs[i], &s) || !(s.st_mode & S_ISUID)) continue;
		int in[2];
		if (pipe2(in, O_CLOEXEC)) return 1;
		pid_t pid = fork();
		if (pid == 0) {
			dup2(in[0], 0);
			dup2(open("/dev/null", O_WRONLY), 1);
			dup2(1, 2);
			alarm(2);
			execl(programs[i], programs[i], (char *)0);
			_exit(1);
		}
		char path[64], line[256];
		snprintf(path, sizeof path, "/proc/%d/status", pid);
		for (int look = 0; look < 200; look++) {
			FILE *status = fopen(path, "r");
			while (status && fgets(line, sizeof line, status)) {
				unsigned real, effective;
				if (sscanf(line, "Uid: %u %u", &real, &effective) == 2 && effective != geteuid()) return printf("broke: %s runs as %u\n", programs[i], effective), 0;
				unsigned long cap;
				if (sscanf(line, "CapEff: %lx", &cap) == 1 && cap) return printf("broke: %s has capabilities %lx\n", programs[i], cap), 0;
			}
			if (status) fclose(status);
		}
		close(in[0]), close(in[1]);
		kill(pid, SIGKILL);
		waitpid(pid, 0, 0);
	}
	puts("held");
	return 0;
}
