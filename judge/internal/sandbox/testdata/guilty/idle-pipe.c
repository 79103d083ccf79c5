// verdict: ILE
// why: reading a pipe that the program alone could write to
// limits: wall=1s
#include <unistd.h>

int main(void) {
	int ends[2];
	char c;
	pipe(ends);
	return read(ends[0], &c, 1);
}
