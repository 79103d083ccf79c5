// verdict: AC
// why: a program cannot rewrite its own file on the host, not even when no process executes it any more
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// While the program runs, the kernel refuses to open its file for writing. So the program keeps the file
// open and executes a copy of itself, which writes the byte that is already there.
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
