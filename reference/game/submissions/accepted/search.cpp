// Verdict: accepted. Breadth-first search from both boards of one colour at
// once, so that every board learns its distance to the nearer of them.
#include <array>
#include <bitset>
#include <iostream>
#include <queue>
#include <string>

using Board = std::bitset<16>;

int main() {
    Board start;
    for (int row = 0; row < 4; ++row) {
        std::string chips;
        std::cin >> chips;
        for (int column = 0; column < 4; ++column) start[4 * row + column] = chips[column] == 'B';
    }

    std::array<std::string, 3> pattern;
    for (auto& row : pattern) std::cin >> row;

    std::array<Board, 16> moves;
    for (int centre = 0; centre < 16; ++centre)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const int row = centre / 4 + i - 1, column = centre % 4 + j - 1;
                const bool inside = row >= 0 && row < 4 && column >= 0 && column < 4;
                if (inside && pattern[i][j] == '1') moves[centre].set(4 * row + column);
            }

    std::array<int, 1 << 16> distance;
    distance.fill(-1);
    std::queue<Board> queue;
    for (const Board goal : {Board().reset(), Board().set()}) {
        distance[goal.to_ulong()] = 0;
        queue.push(goal);
    }
    for (; !queue.empty(); queue.pop()) {
        const Board board = queue.front();
        for (const Board& move : moves) {
            const Board next = board ^ move;
            if (distance[next.to_ulong()] >= 0) continue;
            distance[next.to_ulong()] = distance[board.to_ulong()] + 1;
            queue.push(next);
        }
    }

    if (const int answer = distance[start.to_ulong()]; answer >= 0)
        std::cout << answer << '\n';
    else
        std::cout << "Impossible\n";
}
