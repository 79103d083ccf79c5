// verdict: CE
// why: the passwords of the host
// says: No such file
// never: root:

#include "/etc/shadow"
int main(void) { return 0; }
