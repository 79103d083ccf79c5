// Verdict: wrong answer. The goal is tested only after a move, so that a board of one
// colour seems to need moves.
#include <iostream>
#include <string>
#include <vector>

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

    std::vector<int> moves(1 << 16, -1), queue{start};
    moves[start] = 0;
    for (size_t head = 0; head < queue.size(); ++head) {
        const int here = queue[head];
        if (head > 0 && (here == 0 || here == 0xFFFF)) {
            std::cout << moves[here] << '\n';
            return 0;
        }
        for (int centre = 0; centre < 16; ++centre) {
            const int next = here ^ flips[centre];
            if (moves[next] >= 0) continue;
            moves[next] = moves[here] + 1;
            queue.push_back(next);
        }
    }
    std::cout << "Impossible\n";
}
