// verdict: CE
// why: two gigabytes of data
// says: File size limit|memory limit|No space left

int a[1 << 29] = {1};
int main(void) { return a[5]; }
