/* Prints two numbers below -max that follow from the seed: gen -max=9 -seed=1. */
#include <stdio.h>

int main(int argc, char **argv) {
	unsigned long long max = 99, seed = 0, numbers[2];
	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "-max=%llu", &max) != 1 && sscanf(argv[i], "-seed=%llu", &seed) != 1)
			return 2;
	for (int i = 0; i < 2; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		numbers[i] = (seed >> 33) % max;
	}
	printf("%llu %llu\n", numbers[0], numbers[1]);
	return 0;
}
