// verdict: CE
// why: the root of the process that started the compiler
// says: error
// never: root:

#include "/proc/1/root/etc/passwd"
int main(void) { return 0; }
