// verdict: AC
// why: the program's own file on the host cannot be rewritten, not even once nobody runs it any more
#include <fcntl.h>
#include <unistd.h>

// While it runs, the kernel refuses to open it for writing. So it is held open, and
// another program takes over the process. It writes the byte that is there already.
int main(void) {
	dup2(open("/proc/self/exe", O_RDONLY), 9);
	execl("/bin/sh", "sh", "-c",
		"if printf '\\177' 2>/dev/null 1<>/proc/self/fd/9; then echo 'broke: wrote to its file on the host'; else echo held; fi 2>/dev/null", (char *)0);
	return 1;
}
