// verdict: CE
// why: a constant of two gigabytes
// says: memory limit|CPU time|File size limit|constexpr|constant|too large

struct A { int v[1 << 29]; constexpr A() : v() { for (int i = 0; i < 1000; i++) v[i] = i; v[(1 << 29) - 1] = 1; } };
constexpr A a;
int main(int n, char **) { return a.v[n]; }
