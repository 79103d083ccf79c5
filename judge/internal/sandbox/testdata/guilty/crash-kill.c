// verdict: RTE
// why: a SIGKILL that the judge did not send is not a limit
// message: SIGKILL
#include <signal.h>
#include <unistd.h>

int main(void) {
	kill(getpid(), SIGKILL);
	return 0;
}
