// verdict: RTE
// why: a null dereference is told by its signal
// says: SIGSEGV
int main(void) {
	int *volatile p = 0;
	return *p;
}
