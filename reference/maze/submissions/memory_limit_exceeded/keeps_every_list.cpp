// Verdict: memory limit exceeded. The program keeps a copy of the list for every command, as if to
// look at the history later; 50,000 lists of 1,500 cells are more than half a gigabyte. Shown by
// large/first-largest.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using Cell = std::pair<int, int>; // row and column
using List = std::vector<Cell>;

struct Maze {
    int rows, columns;
    bool seen[41][41] = {}, floor[41][41] = {}, right[41][41] = {}; // floor and right: removed walls

    bool free(Cell c) const {
        auto [row, column] = c;
        return row >= 1 && row <= rows && column >= 1 && column <= columns && !seen[row][column];
    }

    void dig(Cell from, Cell to) {
        auto [lower, upper] = std::minmax(from, to);
        (lower.first < upper.first ? floor[upper.first][upper.second] : right[lower.first][lower.second]) = true;
    }
};

Cell moved(Cell c, char to) {
    switch (to) {
    case 'U': return {c.first + 1, c.second};
    case 'D': return {c.first - 1, c.second};
    case 'L': return {c.first, c.second - 1};
    default: return {c.first, c.second + 1};
    }
}

void run(Maze &maze, Cell start) {
    static std::vector<List> history; // the next maze uses the memory of its lists again
    size_t now = 0;
    auto put = [&](const List &list) {
        if (now == history.size())
            history.emplace_back();
        history[now].assign(list.begin(), list.end());
    };
    put({start});
    maze.seen[start.first][start.second] = true;
    for (List present = {start}; !present.empty();) {
        Cell last = present.back();
        if (std::none_of("UDLR", "UDLR" + 4, [&](char to) { return maze.free(moved(last, to)); })) {
            present.pop_back();
            continue;
        }
        std::string command;
        std::cin >> command;
        if (command == "F") {
            int n;
            std::cin >> n;
            std::reverse(present.begin() + n - 1, present.end());
        } else {
            Cell cell = moved(last, command[0]);
            maze.seen[cell.first][cell.second] = true;
            maze.dig(last, cell);
            present.push_back(cell);
        }
        now++;
        put(present);
    }
}

int main() {
    std::ios::sync_with_stdio(false);
    int mazes;
    std::cin >> mazes;
    while (mazes--) {
        Maze maze;
        Cell start;
        std::cin >> maze.rows >> maze.columns >> start.first >> start.second;
        run(maze, start);
        for (int column = 1; column <= maze.columns; column++)
            std::cout << " _";
        std::cout << '\n';
        for (int row = maze.rows; row >= 1; row--) {
            std::cout << '|';
            for (int column = 1; column <= maze.columns; column++)
                std::cout << (maze.floor[row][column] ? ' ' : '_') << (maze.right[row][column] ? ' ' : '|');
            std::cout << '\n';
        }
        std::cout << '\n';
    }
}
