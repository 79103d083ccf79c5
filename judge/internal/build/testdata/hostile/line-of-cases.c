// verdict: CE
// why: an error at a line of another file, which the compiler would quote
// says: error

int main(void) {
# 1 "@CASES@"
    return 1 +;
}
