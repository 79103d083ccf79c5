// verdict: SV
// why: another personality disables protections; only querying it is harmless
#include <stdio.h>
#include <sys/personality.h>

int main(void) {
	if (personality(0xffffffff) < 0) return puts("broke: asking is refused"), 0;
	personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC);
	puts("broke: personality");
	return 0;
}
