// Verdict: wrong answer.
// Looks for dead cells only after a move. The cell that a flip brings to the end may be
// dead, too; here it stays, and the next command starts from it.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

int rows, columns;
bool taken[41][41];  // with a border, which is never free
std::string picture[40];  // by row; the floor of cell c stands in column 2c-1
std::vector<std::pair<int, int>> list;

bool unvisited(int r, int c) { return r >= 1 && r <= rows && c >= 1 && c <= columns && !taken[r][c]; }

bool dead(int r, int c) {
    return !unvisited(r + 1, c) && !unvisited(r - 1, c) && !unvisited(r, c - 1) && !unvisited(r, c + 1);
}

void visit(int r, int c) {
    taken[r][c] = true;
    list.emplace_back(r, c);
}

void flip(int position) { std::reverse(list.begin() + position - 1, list.end()); }

void carve(int row, int column) {
    list.clear();
    visit(row, column);
    bool moved = true;
    while (!list.empty()) {
        auto [r, c] = list.back();
        if (moved && dead(r, c)) {  // the mistake
            list.pop_back();
            continue;
        }
        char command;
        if (std::scanf(" %c", &command) != 1) return;
        if (command == 'F') {
            int position;
            if (std::scanf("%d", &position) == 1 && position >= 1 && position <= (int)list.size()) flip(position);
            moved = false;
            continue;
        }
        int up = (command == 'U') - (command == 'D'), right = (command == 'R') - (command == 'L');
        if (!unvisited(r + up, c + right)) continue;
        if (up) picture[std::max(r, r + up)][2 * c - 1] = ' ';
        if (right) picture[r][2 * std::min(c, c + right)] = ' ';
        visit(r + up, c + right);
        moved = true;
    }
}

int main() {
    int mazes, row, column;
    if (std::scanf("%d", &mazes) != 1) return 0;
    while (mazes-- > 0 && std::scanf("%d %d %d %d", &rows, &columns, &row, &column) == 4) {
        std::memset(taken, 0, sizeof taken);
        std::string closed = "|";
        for (int c = 0; c < columns; c++) closed += "_|";
        for (std::string& line : picture) line = closed;
        if (row <= rows && column <= columns) carve(row, column);
        for (int c = 0; c < columns; c++) std::printf(" _");
        std::printf("\n");
        for (int r = rows; r >= 1; r--) std::printf("%s\n", picture[r].c_str());
        std::printf("\n");
    }
}
