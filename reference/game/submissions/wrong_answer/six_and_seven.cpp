// Verdict: wrong answer. Searches from the board and from both goals and meets in
// the middle, six moves from here and seven from there: as if no game took more
// than thirteen. A few take fourteen.
#include <iostream>
#include <string>
#include <map>

int main() {
    std::string board, pattern, row;
    for (int i = 0; i < 4 && std::cin >> row; ++i) board += row;
    for (int i = 0; i < 3 && std::cin >> row; ++i) pattern += row;

    int start = 0, flips[16] = {};
    for (int cell = 0; cell < 16; ++cell)
        if (board[cell] == 'B') start |= 1 << cell;
    for (int centre = 0; centre < 16; ++centre)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const int r = centre / 4 + i - 1, c = centre % 4 + j - 1;
                if (r < 0 || r > 3 || c < 0 || c > 3) continue;
                if (pattern[3 * i + j] == '1') flips[centre] ^= 1 << (4 * r + c);
            }

    // Boards within 6 moves of the start, and within 7 of a goal.
    std::map<int, int> near{{start, 0}}, far{{0, 0}, {0xFFFF, 0}};
    const auto grow = [&](std::map<int, int>& known, int levels) {
        for (int level = 0; level < levels; ++level)
            for (const auto& [here, moves] : std::map<int, int>(known))
                if (moves == level)
                    for (int centre = 0; centre < 16; ++centre) known.emplace(here ^ flips[centre], level + 1);
    };
    grow(near, 6);
    grow(far, 7);
    int best = 17;
    for (const auto& [here, moves] : near)
        if (far.count(here) && moves + far[here] < best) best = moves + far[here];
    if (best == 17)
        std::cout << "Impossible\n";
    else
        std::cout << best << '\n';
}
