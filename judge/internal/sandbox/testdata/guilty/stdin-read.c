// verdict: AC
// why: an input is not charged to the program that reads it
// stdin: 50MiB
// limits: memory=32MiB
#include <stdio.h>
#include <unistd.h>

int main(void) {
	static char block[1 << 16];
	long n, total = 0;
	while ((n = read(0, block, sizeof block)) > 0) total += n;
	if (total == 50 << 20)
		puts("held");
	else
		printf("broke: read %ld bytes\n", total);
	return 0;
}
