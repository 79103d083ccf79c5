// Verdict: wrong answer. Zobrist hashing as in chess programs: a random number of 32 bits for
// each marble on each square, and a position is their exclusive or. Chess programs compare
// what they find; this one does not. Shown by edge/same-hash-again.
#include <bits/stdc++.h>
using namespace std;

int n, m, w;
int mr[800], mc[800], hr[800], hc[800];
bool stopped[40][40][4];
const int DR[] = {0, 1, -1, 0}, DC[] = {-1, 0, 0, 1};

struct Node {
    vector<pair<int, int>> at;
    int parent;
    char by;
};

vector<vector<uint32_t>> keys;

uint32_t zobrist(const vector<pair<int, int>>& at) {
    uint32_t h = 0;
    for (int i = 0; i < m; i++) h ^= keys[i][at[i].first * n + at[i].second];
    return h;
}

bool tilt(vector<pair<int, int>>& at, int d) {
    static int grid[40][40], pit[40][40];
    memset(grid, -1, sizeof grid);
    memset(pit, -1, sizeof pit);
    vector<int> rolling;
    for (int i = 0; i < m; i++)
        if (at[i] != make_pair(hr[i], hc[i])) {
            grid[at[i].first][at[i].second] = i;
            pit[hr[i]][hc[i]] = i;
            rolling.push_back(i);
        }
    sort(rolling.begin(), rolling.end(), [&](int a, int b) {
        return DR[d] * at[a].first + DC[d] * at[a].second > DR[d] * at[b].first + DC[d] * at[b].second;
    });
    for (int i : rolling) {
        auto& [r, c] = at[i];
        grid[r][c] = -1;
        bool in = false;
        while (!in && !stopped[r][c][d] && grid[r + DR[d]][c + DC[d]] < 0) {
            r += DR[d], c += DC[d];
            if (pit[r][c] >= 0) {
                if (pit[r][c] != i) return false;
                pit[r][c] = -1, in = true;
            }
        }
        if (!in) grid[r][c] = i;
    }
    return true;
}

int main() {
    for (int no = 1; cin >> n >> m >> w && n; no++) {
        for (int i = 0; i < m; i++) cin >> mr[i] >> mc[i];
        for (int i = 0; i < m; i++) cin >> hr[i] >> hc[i];
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < 4; d++)
                    stopped[r][c][d] = min(r + DR[d], c + DC[d]) < 0 || max(r + DR[d], c + DC[d]) >= n;
        while (w--) {
            int a, b, x, y;
            cin >> a >> b >> x >> y;
            for (int d = 0; d < 4; d++)
                if (a + DR[d] == x && b + DC[d] == y) stopped[a][b][d] = stopped[x][y][3 - d] = true;
        }
        mt19937 gen;  // the same numbers every time, so that bugs come back
        keys.assign(m, vector<uint32_t>(n * n));
        for (auto& row : keys)
            for (auto& key : row) key = gen();

        vector<Node> q;
        unordered_set<uint32_t> seen;
        vector<pair<int, int>> first, home;
        for (int i = 0; i < m; i++) first.push_back({mr[i], mc[i]}), home.push_back({hr[i], hc[i]});
        seen.insert(zobrist(first));
        q.push_back({first, -1, 0});
        int end = -1;
        for (int i = 0; i < (int)q.size() && end < 0; i++) {
            if (q[i].at == home) end = i;
            for (int d = 0; d < 4 && end < 0; d++) {
                auto at = q[i].at;
                if (tilt(at, d) && seen.insert(zobrist(at)).second) q.push_back({at, i, "ENSW"[d]});
            }
        }
        cout << "Case " << no << ": ";
        if (end < 0) {
            cout << "impossible\n\n";
            continue;
        }
        string way;
        for (; q[end].parent >= 0; end = q[end].parent) way = q[end].by + way;
        cout << way.size() << " moves " << way << "\n\n";
    }
}
