// verdict: CE
// why: a line directive that makes the compiler quote another file in an error
// says: error

int main(void) {
# 1 "@CASES@"
    return 1 +;
}
