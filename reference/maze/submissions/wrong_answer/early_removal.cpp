// Verdict: wrong answer.
// Takes a cell off the list as soon as the move that leaves it has made it dead.
// The statement keeps it until it is last; meanwhile its position counts, so here
// later flips start elsewhere.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

int main() {
    int mazes = 0;
    std::cin >> mazes;
    while (mazes-- > 0) {
        int rows = 0, columns = 0, row = 0, column = 0;
        std::cin >> rows >> columns >> row >> column;
        std::vector<std::vector<bool>> free(rows + 2, std::vector<bool>(columns + 2));
        for (int r = 1; r <= rows; r++) std::fill(std::next(free[r].begin()), std::prev(free[r].end()), true);
        auto dead = [&](int r, int c) { return !free[r + 1][c] && !free[r - 1][c] && !free[r][c - 1] && !free[r][c + 1]; };
        if (row < 1 || row > rows || column < 1 || column > columns) break;  // lost in the input

        std::string closed = "|";
        for (int c = 0; c < columns; c++) closed += "_|";
        std::vector<std::string> picture(rows + 1, closed);

        std::vector<std::pair<int, int>> list{{row, column}};
        free[row][column] = false;
        while (!list.empty()) {
            auto [r, c] = list.back();
            if (dead(r, c)) {
                list.pop_back();
                continue;
            }
            std::string command;
            if (!(std::cin >> command)) break;
            if (command == "F") {
                std::size_t position = 0;
                std::cin >> position;
                if (1 <= position && position <= list.size()) std::reverse(list.begin() + position - 1, list.end());
                continue;
            }
            int nextRow = r + (command == "U") - (command == "D");
            int nextColumn = c + (command == "R") - (command == "L");
            if (!free[nextRow][nextColumn]) continue;
            if (nextColumn == c)
                picture[std::max(r, nextRow)][2 * c - 1] = ' ';
            else
                picture[r][2 * std::min(c, nextColumn)] = ' ';
            free[nextRow][nextColumn] = false;
            if (dead(r, c)) list.pop_back();  // the mistake
            list.emplace_back(nextRow, nextColumn);
        }

        for (int c = 0; c < columns; c++) std::cout << " _";
        std::cout << '\n';
        for (int r = rows; r >= 1; r--) std::cout << picture[r] << '\n';
        std::cout << '\n';
    }
}
