// Verdict: run-time error.
// Holds that the list cannot have more than 400 cells, and says so with at(): the
// exception that ends the program is thrown by the first list that is longer.
#include <algorithm>
#include <array>
#include <iostream>

int main() {
    int mazes;
    std::cin >> mazes;
    while (mazes-- > 0) {
        int rows, columns, row, column;
        std::cin >> rows >> columns >> row >> column;
        std::array<std::array<bool, 41>, 41> visited{}, noFloor{}, noSide{};
        auto open = [&](int r, int c) { return r >= 1 && r <= rows && c >= 1 && c <= columns && !visited[r][c]; };

        std::array<std::pair<int, int>, 400> list;
        std::size_t length = 0;
        auto visit = [&](int r, int c) {
            visited[r][c] = true;
            list.at(length) = {r, c};
            length++;
        };
        visit(row, column);
        while (length > 0) {
            auto [r, c] = list.at(length - 1);
            if (!open(r + 1, c) && !open(r - 1, c) && !open(r, c - 1) && !open(r, c + 1)) {
                length--;
                continue;
            }
            char command;
            std::cin >> command;
            switch (command) {
                case 'F': {
                    int position;
                    std::cin >> position;
                    std::reverse(list.begin() + position - 1, list.begin() + length);
                    break;
                }
                case 'U': noFloor[r + 1][c] = true; visit(r + 1, c); break;
                case 'D': noFloor[r][c] = true; visit(r - 1, c); break;
                case 'L': noSide[r][c - 1] = true; visit(r, c - 1); break;
                case 'R': noSide[r][c] = true; visit(r, c + 1); break;
            }
        }
        for (int c = 1; c <= columns; c++) std::cout << " _";
        std::cout << '\n';
        for (int r = rows; r >= 1; r--) {
            std::cout << '|';
            for (int c = 1; c <= columns; c++) std::cout << (noFloor[r][c] ? ' ' : '_') << (noSide[r][c] ? ' ' : '|');
            std::cout << '\n';
        }
        std::cout << '\n';
    }
}
