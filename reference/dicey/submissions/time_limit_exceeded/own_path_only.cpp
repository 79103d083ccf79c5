// Verdict: time_limit_exceeded.
//
// A search that tries every walk without repeated states: it removes a mark when it steps
// back, so it meets the same state again on each of the many walks that lead there. Among
// wild squares these are too many to count; the first wide field without a way home keeps
// it busy for ever.

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

static int rows, cols, home_row, home_col, need[12][12];
static bool on_walk[12][12][7][7];
static std::vector<std::pair<int, int>> walk;

static bool search(int row, int col, int top, int front, int right) {
    walk.emplace_back(row, col);
    const int to[4][5] = {
        {row - 1, col, front, 7 - top, right},
        {row + 1, col, 7 - front, top, right},
        {row, col - 1, right, front, 7 - top},
        {row, col + 1, 7 - right, front, top},
    };
    for (const auto& [r, c, t, f, x] : to) {
        if (need[r][c] != -1 && need[r][c] != top) continue;
        if (r == home_row && c == home_col) {
            walk.emplace_back(r, c);
            return true;
        }
        bool& mark = on_walk[r][c][t][f];
        if (mark) continue;
        mark = true;
        if (search(r, c, t, f, x)) return true;
        mark = false;
    }
    walk.pop_back();
    return false;
}

static int right_of(int top, int front) {
    // Round a top of 1, 2 or 3 the faces stand in this order, against the clock.
    static const char* const ring[4] = {"", "2354", "1463", "1265"};
    const char* faces = ring[top <= 3 ? top : 7 - top];
    const int place = static_cast<int>(std::strchr(faces, '0' + front) - faces);
    return faces[(place + (top <= 3 ? 1 : 3)) % 4] - '0';
}

int main() {
    char name[32];
    while (std::scanf("%31s", name) == 1 && std::strcmp(name, "END") != 0) {
        int top, front;
        std::scanf("%d%d%d%d%d%d", &rows, &cols, &home_row, &home_col, &top, &front);
        std::memset(need, 0, sizeof need);
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c <= cols; ++c) std::scanf("%d", &need[r][c]);
        std::memset(on_walk, 0, sizeof on_walk);
        walk.clear();
        std::puts(name);
        if (!search(home_row, home_col, top, front, right_of(top, front))) {
            std::puts("  No Solution Possible");
            continue;
        }
        for (size_t i = 0; i < walk.size(); ++i)
            std::printf("%s(%d,%d)", i == 0 ? "  " : i % 9 == 0 ? ",\n  " : ",", walk[i].first, walk[i].second);
        std::puts("");
    }
}
