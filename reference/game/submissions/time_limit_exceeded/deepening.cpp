// Verdict: time limit exceeded. Tries all sequences of one move, of two moves and
// so on up to sixteen, in every order and with repetitions: 16^16 of them before
// it would call the sample impossible.
#include <cstdint>
#include <iostream>
#include <string>

static std::uint16_t flips[16];

static bool wins(std::uint16_t chips, int moves) {
    if (moves == 0) return chips == 0 || chips == 0xFFFF;
    for (const std::uint16_t flip : flips)
        if (wins(chips ^ flip, moves - 1)) return true;
    return false;
}

int main() {
    std::string board, pattern, row;
    for (int i = 0; i < 4 && std::cin >> row; ++i) board += row;
    for (int i = 0; i < 3 && std::cin >> row; ++i) pattern += row;

    std::uint16_t black = 0;
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] == 'B') black |= 1 << cell;
        for (int centre = 0; centre < 16; ++centre) {
            const int i = cell / 4 - centre / 4 + 1, j = cell % 4 - centre % 4 + 1;
            if (i >= 0 && i < 3 && j >= 0 && j < 3 && pattern[3 * i + j] == '1') flips[centre] |= 1 << cell;
        }
    }

    for (int moves = 0; moves <= 16; ++moves)
        if (wins(black, moves)) {
            std::cout << moves << '\n';
            return 0;
        }
    std::cout << "Impossible\n";
}
