// Verdict: wrong answer. The equations are solved by elimination, and free unknowns are
// set to 0. That is a way to win, but not one of the fewest moves if some sets of moves
// cancel out.
#include <iostream>
#include <string>
#include <utility>

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

    int best = 17;
    for (const int goal : {0, 0xFFFF}) {
        // Row of an equation: bits 0 to 15 the centres, bit 16 the right side.
        int rows[16];
        for (int cell = 0; cell < 16; ++cell) {
            rows[cell] = ((start ^ goal) >> cell & 1) << 16;
            for (int centre = 0; centre < 16; ++centre) rows[cell] |= (flips[centre] >> cell & 1) << centre;
        }
        int rank = 0;
        for (int centre = 0; centre < 16; ++centre) {
            int pivot = rank;
            while (pivot < 16 && !(rows[pivot] >> centre & 1)) ++pivot;
            if (pivot == 16) continue;
            std::swap(rows[pivot], rows[rank]);
            for (int other = 0; other < 16; ++other)
                if (other != rank && rows[other] >> centre & 1) rows[other] ^= rows[rank];
            ++rank;
        }
        int moves = 0;
        for (int row = 0; row < 16; ++row) {
            if (rows[row] == 1 << 16) moves = 17;
            moves += row < rank && rows[row] >> 16;
        }
        if (moves < best) best = moves;
    }
    if (best == 17)
        std::cout << "Impossible\n";
    else
        std::cout << best << '\n';
}
