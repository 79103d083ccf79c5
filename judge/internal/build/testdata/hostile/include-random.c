// verdict: CE
// why: another source without end, of noise
// says: memory limit|CPU time

#include "/dev/urandom"
int main(void) { return 0; }
