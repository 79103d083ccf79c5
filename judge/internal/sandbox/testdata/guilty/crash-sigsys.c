// verdict: RTE
// why: an exit status that looks like death by SIGSYS is only a status
// message: status 159
int main(void) { return 159; }
