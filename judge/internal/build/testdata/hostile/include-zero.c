// verdict: CE
// why: an endless source
// says: memory limit|CPU time

#include "/dev/zero"
int main(void) { return 0; }
