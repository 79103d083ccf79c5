// verdict: CE
// why: a constant whose evaluation does not end
// says: constexpr|constant

constexpr int f() { int n = 0; for (unsigned long i = 0; i < ~0ul; i++) n ^= (int)i; return n; }
constexpr int x = f();
int main() { return x; }
