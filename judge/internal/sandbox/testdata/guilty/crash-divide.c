// verdict: RTE
// why: a division by zero
// says: SIGFPE
int main(void) {
	volatile int dividend = 7, zero = 0;
	return dividend / zero;
}
