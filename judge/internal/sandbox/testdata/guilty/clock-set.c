// verdict: AC
// why: the clock that everything is measured by cannot be set; the other calls are tried only if the first, harmless one is refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

int main(void) {
	struct timex t = {.modes = 0};
	adjtimex(&t);
	t.modes = ADJ_MAXERROR; // sets the value that it has
	if (adjtimex(&t) >= 0) {
		puts("broke: may adjust the clock");
		return 0;
	}
	struct timespec now;
	struct timeval same;
	clock_gettime(CLOCK_REALTIME, &now);
	gettimeofday(&same, 0);
	if (clock_settime(CLOCK_REALTIME, &now) == 0 || settimeofday(&same, 0) == 0)
		puts("broke: set the clock");
	else
		puts("held");
	return 0;
}
