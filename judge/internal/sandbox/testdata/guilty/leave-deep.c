// verdict: AC
// why: folders nested deeper than a process may hold open are removed as well
// runs: twice
// limits: memory=256MiB
// gaps: rlimit=WA
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	if (access("/etc/passwd", F_OK) == 0) return puts("broke: the folders are those of the host, and that is left alone"), 0;
	if (access("/w/d", F_OK) == 0) return puts("broke: folders of the run before"), 0;
	for (int depth = 0; depth < 65000; depth++)
		if (mkdir("d", 0700) || chdir("d")) break;
	puts("held");
	return 0;
}
