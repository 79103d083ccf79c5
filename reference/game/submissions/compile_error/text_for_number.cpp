// Verdict: compile error. A text is no int.
#include <iostream>

int main() {
    int answer = "Impossible";
    std::cout << answer << '\n';
}
