// verdict: CE
// why: two to the power of sixty templates
// says: memory limit|CPU time

template <int n, class... A> struct T : T<n - 1, A..., int>, T<n - 1, A..., long> {};
template <class... A> struct T<0, A...> { char c; };
int main() { return sizeof(T<60>); }
