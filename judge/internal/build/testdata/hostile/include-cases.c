// verdict: CE
// why: the expected outputs
// says: No such file

#include "@CASES@"
int main(void) { return 0; }
