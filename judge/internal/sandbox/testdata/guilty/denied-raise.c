// verdict: RTE
// why: a program that sends itself SIGSYS has made no denied call
// message: SIGSYS
// gaps: rlimit=SV
#include <signal.h>

int main(void) {
	raise(SIGSYS);
	return 0;
}
