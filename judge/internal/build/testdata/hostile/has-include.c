// verdict: AC
// why: a test whether a file exists
// says: ok

#if __has_include("@CASES@") || __has_include("/etc/passwd") || __has_include("/bin/sh")
#error it is
#endif
#include <stdio.h>
int main(void) { puts("ok"); return 0; }
