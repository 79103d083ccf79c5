// Verdict: run-time error. The queue has room for each of the 65,536 boards, but level
// markers stand in it as well. If nearly all boards are met before a goal, the last ones
// do not fit: std::array::at throws, and nothing catches the exception.
#include <array>
#include <iostream>
#include <string>

constexpr int kBoards = 1 << 16, kMarker = -1;

static std::array<int, kBoards> queue;
static std::array<bool, kBoards> seen;

int main() {
    std::string board, pattern, row;
    for (int i = 0; i < 4 && std::cin >> row; ++i) board += row;
    for (int i = 0; i < 3 && std::cin >> row; ++i) pattern += row;

    int start = 0, flips[16] = {};
    for (int cell = 0; cell < 16; ++cell) {
        if (board[cell] == 'B') start |= 1 << cell;
        for (int centre = 0; centre < 16; ++centre) {
            const int i = cell / 4 - centre / 4 + 1, j = cell % 4 - centre % 4 + 1;
            if (i >= 0 && i < 3 && j >= 0 && j < 3 && pattern[3 * i + j] == '1') flips[centre] |= 1 << cell;
        }
    }

    int head = 0, tail = 0, moves = 0;
    queue.at(tail++) = start;
    queue.at(tail++) = kMarker;
    seen.at(start) = true;
    for (;;) {
        const int here = queue.at(head++);
        if (here == kMarker) {
            if (head == tail) break;
            ++moves;
            queue.at(tail++) = kMarker;
            continue;
        }
        if (here == 0 || here == kBoards - 1) {
            std::cout << moves << '\n';
            return 0;
        }
        for (const int flip : flips) {
            const int next = here ^ flip;
            if (seen.at(next)) continue;
            seen.at(next) = true;
            queue.at(tail++) = next;
        }
    }
    std::cout << "Impossible\n";
}
