// verdict: CE
// why: loops that stay within the limit of each, but together exceed the time
// says: CPU time|memory limit

template <int n> struct Slow {
    static constexpr int f() {
        int x = n;
        for (int i = 0; i < 150; i++)
            for (int j = 0; j < 150; j++)
                for (int k = 0; k < 150; k++) x ^= k;
        return x;
    }
    static constexpr int value = f() + Slow<n - 1>::value;
};
template <> struct Slow<0> { static constexpr int value = 0; };
int main() { return Slow<800>::value; }
