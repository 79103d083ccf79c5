/* ILE: waits for a signal that nobody sends. */
#include <unistd.h>

int main(void) {
	for (;;)
		pause();
}
