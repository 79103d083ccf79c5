/* Prints a pair of numbers of a family: gen pair -max=9 -seed=1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long max = 1000, seed = 1;

static unsigned long long next(void) {
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % max;
}

int main(int argc, char **argv) {
	const char *family = argv[1];
	if (strcmp(family, "-list") == 0) {
		puts("pair: two numbers below -max\nequal: the same number twice, below -max");
		return 0;
	}
	if (strcmp(family, "-ladder") == 0) {
		for (int i = 0; i < 2; i++)
			for (int max = 10; max <= 1000000000; max *= 10) {
				printf("%d %s -max=%d\n", max, i ? "equal" : "pair", max);
				if (max == 1000000000)
					break;
			}
		return 0;
	}
	if (strcmp(family, "pair") != 0 && strcmp(family, "equal") != 0) {
		fprintf(stderr, "gen: unknown family \"%s\"\n", family);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "-seed") == 0 && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (sscanf(argv[i], "-max=%llu", &max) != 1 && sscanf(argv[i], "-seed=%llu", &seed) != 1) {
			fprintf(stderr, "flag provided but not defined: %.*s\n", (int)strcspn(argv[i], "="), argv[i]);
			return 2;
		}
	}
	unsigned long long a = next(), b = next();
	printf("%llu %llu\n", a, strcmp(family, "equal") == 0 ? a : b);
	return 0;
}
