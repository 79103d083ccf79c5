// verdict: CE
// why: a source without end
// says: memory limit|CPU time

#include "/dev/zero"
int main(void) { return 0; }
