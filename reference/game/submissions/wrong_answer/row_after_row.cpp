// Verdict: wrong answer. Tries all ways to press the first row and takes it for
// granted that the chips of each row then tell which of the next are to be
// pressed. That holds if the pattern has a 1 above its middle and none beside
// that.
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

    int best = 17;
    for (const int goal : {0, 0xFFFF})
        for (int first = 0; first < 16; ++first) {
            int now = start ^ goal, moves = 0;
            for (int centre = 0; centre < 16; ++centre) {
                const bool press = centre < 4 ? first >> centre & 1 : now >> (centre - 4) & 1;
                if (press) now ^= flips[centre], ++moves;
            }
            if (now == 0 && moves < best) best = moves;
        }
    if (best == 17)
        std::cout << "Impossible\n";
    else
        std::cout << best << '\n';
}
