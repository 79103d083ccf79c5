// Verdict: memory limit exceeded. A breadth-first search that forgets what it has
// seen and keeps the moves of every path: 32 bytes for each of the 16^6 paths of
// six moves alone, more than 500 MiB and all of it written, before it gives up.
#include <array>
#include <cstdint>
#include <deque>
#include <iostream>
#include <string>

struct Path {
    std::uint16_t chips;
    std::uint8_t length;
    std::array<std::uint8_t, 29> centres;
};

int main() {
    std::string board, pattern, row;
    for (int i = 0; i < 4 && std::cin >> row; ++i) board += row;
    for (int i = 0; i < 3 && std::cin >> row; ++i) pattern += row;

    Path start{};
    std::uint16_t flips[16] = {};
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] == 'B') start.chips |= 1 << cell;
        for (int centre = 0; centre < 16; ++centre) {
            const int i = cell / 4 - centre / 4 + 1, j = cell % 4 - centre % 4 + 1;
            if (i >= 0 && i < 3 && j >= 0 && j < 3 && pattern[3 * i + j] == '1') flips[centre] |= 1 << cell;
        }
    }

    for (std::deque<Path> paths{start}; !paths.empty(); paths.pop_front()) {
        const Path path = paths.front();
        if (path.chips == 0 || path.chips == 0xFFFF) {
            std::cout << int(path.length) << '\n';
            return 0;
        }
        if (path.length == 6) break;
        for (int centre = 0; centre < 16; ++centre) {
            Path longer = path;
            longer.chips ^= flips[centre];
            longer.centres[longer.length++] = centre;
            paths.push_back(longer);
        }
    }
    std::cout << "Impossible\n";
}
