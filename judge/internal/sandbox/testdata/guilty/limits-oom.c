// verdict: AC
// why: no program makes others die in its place when memory runs out
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);
	if (fd >= 0 && write(fd, "-500", 4) == 4)
		puts("broke: the last to be killed");
	else
		puts("held");
	return 0;
}
