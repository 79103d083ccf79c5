// verdict: CE
// why: descriptors that the compiler might have inherited
// says: error

#include "/proc/self/fd/3"
#include "/proc/self/fd/4"
#include "/proc/self/fd/5"
#error end
int main(void) { return 0; }
