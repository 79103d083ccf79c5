// verdict: RTE
// why: the report of a null dereference names its signal
// message: SIGSEGV
int main(void) {
	int *volatile p = 0;
	return *p;
}
