// Verdict: wrong answer. Each move is the one after which the most chips show the
// same colour. The best way often begins with one that makes it worse.
#include <algorithm>
#include <bitset>
#include <iostream>
#include <string>

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

    int board_now = start;
    for (int moves = 0; moves < 17; ++moves) {
        if (board_now == 0 || board_now == 0xFFFF) {
            std::cout << moves << '\n';
            return 0;
        }
        int best = -1, next = board_now;
        for (int centre = 0; centre < 16; ++centre) {
            const int black = std::bitset<16>(board_now ^ flips[centre]).count();
            if (std::max(black, 16 - black) > best) best = std::max(black, 16 - black), next = board_now ^ flips[centre];
        }
        board_now = next;
    }
    std::cout << "Impossible\n";
}
