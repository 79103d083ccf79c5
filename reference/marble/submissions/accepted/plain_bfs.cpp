// Expected verdict: accepted. The plain solution, with which docs/solvers.md compares the
// reference: breadth-first search from the start, a hash table of the positions that it has met,
// and marbles that roll square by square. Its one idea beyond that: the last move is not tried
// again, nor its opposite unless a marble has dropped.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using std::vector;

static const char side[] = "ENSW";  // the opposite of side d is 3-d
static int n, m, step[4];
static vector<uint16_t> start, hole;
static vector<bool> closed[4];    // by square, whether a marble that rolls from there is stopped

static vector<uint16_t> met;      // m squares of each position
static vector<uint32_t> origin;   // its predecessor * 8 + dropped * 4 + move
static vector<uint32_t> table;    // numbers of positions + 1, or 0

static uint32_t *find(const uint16_t *at) {
    uint64_t h = 0;
    for (int i = 0; i < m; i++) h = (h ^ at[i]) * 0x9e3779b97f4a7c15, h ^= h >> 32;
    size_t p = h & (table.size() - 1);
    while (table[p] && memcmp(&met[size_t(table[p] - 1) * m], at, 2 * m)) p = (p + 1) & (table.size() - 1);
    return &table[p];
}

static void add(const uint16_t *at, uint32_t from) {
    uint32_t *place = find(at);
    if (*place) return;
    met.insert(met.end(), at, at + m);
    origin.push_back(from);
    *place = origin.size();
    if (2 * origin.size() <= table.size()) return;
    size_t size = 2 * table.size();
    table = {};
    table.resize(size);
    for (size_t i = 0; i < origin.size(); i++) *find(&met[i * m]) = i + 1;
}

static bool solve(std::string &moves) {
    met.clear(), origin.clear();
    table.assign(1024, 0);
    vector<uint16_t> at(m), next(m);
    vector<int> order(m);
    enum { nothing, marble, open };
    vector<char> on(n * n);  // marbles at rest and open holes, while a side is lifted
    for (int i = 0; i < m; i++) order[i] = i;
    add(start.data(), 4);
    for (size_t head = 0; head < origin.size(); head++) {
        memcpy(at.data(), &met[head * m], 2 * m);
        if (at == hole) {
            for (size_t i = head; i; i = origin[i] >> 3) moves += side[origin[i] & 3];
            std::reverse(moves.begin(), moves.end());
            return true;
        }
        std::sort(order.begin(), order.end(), [&](int a, int b) { return at[a] < at[b]; });
        const uint32_t last = origin[head];
        for (int d = 0; d < 4; d++) {
            if (head && (d == int(last & 3) || (!(last & 4) && d == 3 - int(last & 3)))) continue;
            bool lost = false, dropped = false;
            for (int i = 0; i < m; i++) on[hole[i]] = at[i] == hole[i] ? nothing : open;
            for (int k = 0; k < m && !lost; k++) {
                const int i = order[step[d] < 0 ? k : m - 1 - k];  // those ahead first
                int s = at[i];
                if (s != hole[i]) {
                    while (!closed[d][s] && on[s + step[d]] == nothing) s += step[d];
                    if (!closed[d][s] && on[s + step[d]] == open) {
                        s += step[d];
                        on[s] = nothing;
                        lost = s != hole[i];
                        dropped = true;
                    } else {
                        on[s] = marble;
                    }
                }
                next[i] = s;
            }
            for (int i = 0; i < m; i++) on[next[i]] = on[hole[i]] = nothing;
            if (!lost) add(next.data(), uint32_t(head) << 3 | dropped << 2 | d);
        }
    }
    return false;
}

static int square() {
    int row = 0, column = 0;
    if (scanf("%d %d", &row, &column) != 2) return 0;
    return row * n + column;
}

int main() {
    int walls;
    for (int number = 1; scanf("%d %d %d", &n, &m, &walls) == 3 && n; number++) {
        start.resize(m), hole.resize(m);
        for (auto &s : start) s = square();
        for (auto &s : hole) s = square();
        const int steps[] = {-1, n, -n, 1};
        for (int d = 0; d < 4; d++) {
            step[d] = steps[d];
            closed[d].assign(n * n, false);
        }
        for (int i = 0; i < n; i++)
            closed[0][i * n] = closed[1][n * n - n + i] = closed[2][i] = closed[3][i * n + n - 1] = true;
        while (walls--) {
            const int a = square(), b = square();
            for (int d = 0; d < 4; d++)
                if (b == a + step[d]) closed[d][a] = closed[3 - d][b] = true;
        }
        std::string moves;
        if (!solve(moves))
            printf("Case %d: impossible\n\n", number);
        else
            printf("Case %d: %zu moves%s%s\n\n", number, moves.size(), moves.empty() ? "" : " ", moves.c_str());
    }
}
