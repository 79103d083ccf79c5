// verdict: AC
// why: the program's own file on the host cannot be rewritten, not even once nobody runs it any more
// cannot: cgroup=WA, polling=WA, rlimit=WA
#include <fcntl.h>
#include <unistd.h>

// While it runs, the kernel refuses to open it for writing. So it is held open, and
// another program takes over the process; nothing is written, only opened.
int main(void) {
	int exe = open("/proc/self/exe", O_RDONLY);
	dup2(exe, 9);
	execl("/bin/sh", "sh", "-c",
		"if (: >>/proc/self/fd/9) 2>/dev/null || (: <>/proc/self/fd/9) 2>/dev/null; then echo 'broke: its file on the host is writable'; "
		"elif chmod +x /proc/self/fd/9 2>/dev/null; then echo 'broke: the mode of its file on the host can be changed'; else echo held; fi", (char *)0);
	return 1;
}
