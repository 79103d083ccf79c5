// verdict: TLE
// why: an endless loop
// says: more CPU time than 1s
int main(void) {
	for (volatile int i = 0;; i++) {
	}
}
