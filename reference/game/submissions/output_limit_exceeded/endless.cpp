// Verdict: output limit exceeded. Says the answer of the sample, and never stops.
#include <cstdio>

int main() {
    for (;;) std::puts("Impossible");
}
