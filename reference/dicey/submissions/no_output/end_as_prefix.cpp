// Verdict: no_output.
//
// Any name that begins with END is taken for the end of the input, so that the maze
// ENDGAME and all mazes after it get no answer. All other answers are right, such as those
// to the statement's mazes.

#include <cstdio>
#include <cstring>
#include <vector>

struct State {
    int row, col, top, front, right, before;
};

int main() {
    char name[32];
    while (std::scanf("%31s", name) == 1 && std::strncmp(name, "END", 3) != 0) {
        int rows, cols;
        State first{};
        std::scanf("%d%d%d%d%d%d", &rows, &cols, &first.row, &first.col, &first.top, &first.front);
        int need[12][12] = {};
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c <= cols; ++c) std::scanf("%d", &need[r][c]);

        // The faces round each number on top, from above and against the clock.
        static const char* const kRing[7] = {"", "2354", "1463", "1265", "1562", "1364", "2453"};
        const char* ring = kRing[first.top];
        first.right = ring[(std::strchr(ring, '0' + first.front) - ring + 1) % 4] - '0';
        first.before = -1;

        bool seen[12][12][7][7] = {};
        std::vector<State> visits{first};
        std::vector<int> walk;
        for (size_t i = 0; i < visits.size() && walk.empty(); ++i) {
            const State at = visits[i];
            const int here = static_cast<int>(i);
            const State after[4] = {
                {at.row - 1, at.col, at.front, 7 - at.top, at.right, here},
                {at.row + 1, at.col, 7 - at.front, at.top, at.right, here},
                {at.row, at.col - 1, at.right, at.front, 7 - at.top, here},
                {at.row, at.col + 1, 7 - at.right, at.front, at.top, here},
            };
            for (const State& to : after) {
                const int n = need[to.row][to.col];
                if (n != -1 && n != at.top) continue;
                if (to.row == first.row && to.col == first.col) {
                    for (int j = here; j >= 0; j = visits[j].before) walk.push_back(j);
                    break;
                }
                bool& mark = seen[to.row][to.col][to.top][to.front];
                if (!mark) visits.push_back(to);
                mark = true;
            }
        }

        std::printf("%s\n", name);
        if (walk.empty()) {
            std::puts("  No Solution Possible");
            continue;
        }
        for (size_t i = 0; i <= walk.size(); ++i) {
            const State& at = i < walk.size() ? visits[walk[walk.size() - 1 - i]] : first;
            std::printf("%s(%d,%d)", i == 0 ? "  " : i % 9 == 0 ? ",\n  " : ",", at.row, at.col);
        }
        std::puts("");
    }
}
