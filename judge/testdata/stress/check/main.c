/* Looks at a pair of numbers, or offers others without their last digits: check -input < input, check -reduce < input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void offer(long a, long b) {
	char text[100];
	int length = snprintf(text, sizeof text, "%ld %ld\n", a, b);
	printf("%d:%s,", length, text);
}

int main(int argc, char **argv) {
	char text[200] = "", again[200];
	long a = 0, b = 0;
	text[fread(text, 1, sizeof text - 1, stdin)] = 0;
	sscanf(text, "%ld %ld", &a, &b);
	snprintf(again, sizeof again, "%ld %ld\n", a, b);
	if (strcmp(text, again) != 0 || labs(a) > 1000000000 || labs(b) > 1000000000) {
		fprintf(stderr, "line 1, column 1: not two numbers\n");
		return 43;
	}
	if (strcmp(argv[1], "-reduce") == 0) {
		offer(a / 10, b);
		offer(a, b / 10);
		printf("10:not a pair,");
		return 0;
	}
	printf("a %ld %ld\nb %ld %ld\n", a, a, b, b);
	return 42;
}
