// verdict: AC
// why: folders nested deeper than the longest path are gone before the next run
// runs: twice
// limits: memory=128MiB
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	if (access("d", F_OK) == 0) {
		puts("broke: a folder of the run before");
		return 0;
	}
	for (int i = 0; i < 2500; i++)
		if (mkdir("d", 0700) || chdir("d")) {
			perror("mkdir");
			return 1;
		}
	puts("held");
	return 0;
}
