// verdict: CE
// why: a file that includes itself
// says: nested depth

#include __FILE__
int main(void) { return 0; }
