// verdict: CE
// why: an endless source of random bytes
// says: memory limit|CPU time

#include "/dev/urandom"
int main(void) { return 0; }
