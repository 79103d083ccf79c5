// verdict: CE
// why: a file above the build folder
// says: No such file
// never: root:

#include "../../../../../../etc/passwd"
int main(void) { return 0; }
