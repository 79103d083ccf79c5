// Verdict: wrong answer.
// Reads a command before it looks whether the list has become empty. That is
// right wherever a command follows, but a 1×1 maze has none, and the head of the
// next maze is taken for one.
#include <algorithm>
#include <iostream>
#include <vector>

struct Cell {
    int row, column;
};

int main() {
    int mazes = 0;
    std::cin >> mazes;
    while (mazes-- > 0) {
        int rows = 0, columns = 0;
        Cell start{0, 0};
        std::cin >> rows >> columns >> start.row >> start.column;
        bool visited[64][64] = {}, floorGone[64][64] = {}, sideGone[64][64] = {};
        auto open = [&](int r, int c) { return r >= 1 && r <= rows && c >= 1 && c <= columns && !visited[r][c]; };

        std::vector<Cell> list{start};
        visited[start.row & 63][start.column & 63] = true;
        do {
            char command;
            if (!(std::cin >> command)) break;
            Cell next = list.back();
            switch (command) {
                case 'F': {
                    int position;
                    std::cin >> position;
                    std::reverse(list.begin() + position - 1, list.end());
                    break;
                }
                case 'U': next.row++; floorGone[next.row][next.column] = true; break;
                case 'D': floorGone[next.row][next.column] = true; next.row--; break;
                case 'L': next.column--; sideGone[next.row][next.column] = true; break;
                case 'R': sideGone[next.row][next.column] = true; next.column++; break;
            }
            if (open(next.row, next.column)) {
                visited[next.row][next.column] = true;
                list.push_back(next);
            }
            while (!list.empty()) {
                auto [r, c] = list.back();
                if (open(r + 1, c) || open(r - 1, c) || open(r, c - 1) || open(r, c + 1)) break;
                list.pop_back();
            }
        } while (!list.empty());

        for (int c = 1; c <= columns; c++) std::cout << " _";
        std::cout << '\n';
        for (int r = rows; r >= 1; r--) {
            std::cout << '|';
            for (int c = 1; c <= columns; c++) {
                std::cout << (floorGone[r][c] ? ' ' : '_') << (sideGone[r][c] ? ' ' : '|');
            }
            std::cout << '\n';
        }
        std::cout << '\n';
    }
}
