// verdict: CE
// why: the accounts of the host
// says: No such file
// never: root:

#include "/etc/passwd"
int main(void) { return 0; }
