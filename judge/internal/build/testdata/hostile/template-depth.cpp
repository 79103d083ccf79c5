// verdict: CE
// why: endless templates
// says: template instantiation depth|recursively

template <int n> struct T { static constexpr int v = T<n + 1>::v + 1; };
int main() { return T<0>::v; }
