// verdict: AC
// why: files with long, broken and misleading names are gone before the next run
// runs: twice
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
	DIR *list = opendir(".");
	for (struct dirent *e; (e = readdir(list));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			puts("broke: a file of the run before");
			return 0;
		}
	char name[256] = {0};
	for (int c = 1; c < 256; c++) {
		if (c == '/') continue;
		memset(name, c, 255);
		if (c == '.') name[0] = 'x';
		close(open(name, O_CREAT | O_WRONLY, 0));
	}
	mkdir("...", 0);
	mkdir("-rf *", 0);
	symlink("/", "root");
	symlink("loop", "loop");
	mkfifo("pipe", 0600);
	puts("held");
	return 0;
}
