// verdict: CE
// why: endless errors
// says: output truncated

#define TEN(x) x x x x x x x x x x
int main(void) {
    TEN(TEN(TEN(TEN(TEN(1 = 2;)))))
    return 0;
}
