// verdict: AC
// why: the program's own file on the host cannot be rewritten, not even once nobody runs it any more
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// While it runs, the kernel refuses to open it for writing. So it is held open, and
// a copy of it takes over the process. That writes the byte that is there already.
int main(int argc, char **argv) {
	if (argc > 1) {
		int again = open("/proc/self/fd/9", O_WRONLY);
		puts(again >= 0 && write(again, "\177", 1) == 1 ? "broke: wrote to its file on the host" : "held");
		return 0;
	}
	int exe = open("/proc/self/exe", O_RDONLY), copy = open("copy", O_CREAT | O_WRONLY, 0700);
	char block[1 << 16];
	for (long n; (n = read(exe, block, sizeof block)) > 0;) write(copy, block, n);
	close(copy);
	dup2(exe, 9);
	execl("./copy", argv[0], "second", (char *)0);
	return 1;
}
