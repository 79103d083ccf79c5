// verdict: AC
// why: a program that uses up its descriptors harms only itself
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
	int n = 0;
	while (n < 100000 && open("/dev/null", O_RDONLY) >= 0) n++;
	puts("held");
	return 0;
}
