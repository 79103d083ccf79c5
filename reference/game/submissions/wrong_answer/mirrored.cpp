// Verdict: wrong answer. The pattern is turned by half a circle, because the offset is
// taken from the flipped cell to the centre instead of the other way round. The pattern of
// the sample does not tell the difference.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iostream>
#include <string>

int main() {
    std::string board, pattern, row;
    for (int i = 0; i < 4 && std::cin >> row; ++i) board += row;
    for (int i = 0; i < 3 && std::cin >> row; ++i) pattern += row;

    std::uint16_t black = 0, flips[16] = {};
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] == 'B') black |= 1 << cell;
        for (int centre = 0; centre < 16; ++centre) {
            const int i = centre / 4 - cell / 4 + 1, j = centre % 4 - cell % 4 + 1;
            if (i >= 0 && i < 3 && j >= 0 && j < 3 && pattern[3 * i + j] == '1') flips[centre] |= 1 << cell;
        }
    }

    int best = 17;
    for (unsigned set = 0; set < 1u << 16; ++set) {
        std::uint16_t after = black;
        for (int centre = 0; centre < 16; ++centre)
            if (set >> centre & 1) after ^= flips[centre];
        if (after == 0 || after == 0xFFFF) best = std::min(best, std::popcount(set));
    }
    if (best > 16)
        std::cout << "Impossible\n";
    else
        std::cout << best << '\n';
}
