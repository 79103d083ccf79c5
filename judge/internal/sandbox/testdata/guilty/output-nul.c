// verdict: AC
// why: output is bytes, NUL and broken UTF-8 among them
// output: "a\x00b\xff\xfe\x00\r\n\x00"
#include <unistd.h>

int main(void) { return write(1, "a\0b\xff\xfe\0\r\n\0", 9) != 9; }
