// verdict: AC
// why: the pragmas that contestants use must still work
// says: ok

#pragma GCC optimize("O3,unroll-loops")
#pragma GCC target("sse4.2")
#include <bits/stdc++.h>
int main() { std::puts("ok"); }
