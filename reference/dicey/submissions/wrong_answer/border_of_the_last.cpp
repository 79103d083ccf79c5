// Verdict: wrong_answer.
//
// The edge of the maze is where the array holds zeros. The array is not cleared between
// mazes, so an earlier, larger maze opens the edge.

#include <cstdio>
#include <cstring>
#include <vector>

struct State {
    int row, col, top, front, right, before;
};

static int need[12][12];
static bool seen[12][12][7][7];

// The faces round each number on top, from above and against the clock.
static int right_of(int top, int front) {
    static const char* const kRing[7] = {"", "2354", "1463", "1265", "1562", "1364", "2453"};
    const char* ring = kRing[top];
    return ring[(std::strchr(ring, '0' + front) - ring + 1) % 4] - '0';
}

int main() {
    char name[32];
    while (std::scanf("%31s", name) == 1 && std::strcmp(name, "END") != 0) {
        int rows, cols;
        State first{};
        std::scanf("%d%d%d%d%d%d", &rows, &cols, &first.row, &first.col, &first.top, &first.front);
        first.right = right_of(first.top, first.front);
        first.before = -1;
        std::memset(seen, 0, sizeof seen);
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c <= cols; ++c) std::scanf("%d", &need[r][c]);

        std::vector<State> visits{first};
        std::vector<State> walk;
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
                    walk.push_back(to);
                    for (int j = here; j >= 0; j = visits[j].before) walk.insert(walk.begin(), visits[j]);
                    break;
                }
                bool& mark = seen[to.row][to.col][to.top][to.front];
                if (!mark) visits.push_back(to);
                mark = true;
            }
        }

        std::puts(name);
        if (walk.empty()) {
            std::puts("  No Solution Possible");
            continue;
        }
        for (size_t i = 0; i < walk.size(); ++i)
            std::printf("%s(%d,%d)", i == 0 ? "  " : i % 9 == 0 ? ",\n  " : ",", walk[i].row, walk[i].col);
        std::puts("");
    }
}
