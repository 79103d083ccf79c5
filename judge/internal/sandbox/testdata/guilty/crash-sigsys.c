// verdict: RTE
// why: a status that looks like death by SIGSYS is a status
// says: status 159
int main(void) { return 159; }
