// verdict: TLE
// why: an endless loop
// limits: cpu=300ms
// message: more CPU time than 300ms
int main(void) {
	for (volatile int i = 0;; i++) {
	}
}
