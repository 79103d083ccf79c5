// verdict: RTE
// why: a program that sends itself SIGSYS has made no denied call
// says: SIGSYS
// cannot: rlimit=SV
#include <signal.h>

int main(void) {
	raise(SIGSYS);
	return 0;
}
