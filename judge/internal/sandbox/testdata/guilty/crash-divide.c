// verdict: RTE
// why: a division by zero
// message: SIGFPE
int main(void) {
	volatile int dividend = 7, zero = 0;
	return dividend / zero;
}
