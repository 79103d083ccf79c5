/* Accepts two numbers on a line: check -input < input. */
#include <stdio.h>
#include <string.h>

int main(void) {
	char text[100] = "", again[100];
	int a = 0, b = 0;
	text[fread(text, 1, 99, stdin)] = 0;
	sscanf(text, "%d %d", &a, &b);
	snprintf(again, 100, "%d %d\n", a, b);
	if (strcmp(text, again) != 0) {
		fprintf(stderr, "line 1: not two numbers\n");
		return 43;
	}
	printf("a %d %d\nb %d %d\n", a, a, b, b);
	return 42;
}
