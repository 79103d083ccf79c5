// verdict: AC
// why: only asking whether a file is there
// says: ok

#if __has_include("@CASES@") || __has_include("/etc/passwd") || __has_include("/bin/sh")
#error it is
#endif
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
