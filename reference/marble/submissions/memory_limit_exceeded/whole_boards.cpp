// Verdict: memory limit exceeded. Every position that is met keeps a picture of the whole
// board, twice 40 by 40 numbers: a gigabyte holds 80,000 of them.
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_set>

struct Picture {
    int marble[40][40];  // 0 where there is none
    int open[40][40];    // hole
    int left;            // marbles on the move
    int parent;
    char by;

    std::string key(int n) const {
        std::string k;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                if (marble[r][c] || open[r][c]) {
                    k += char(r), k += char(c);
                    k += char(marble[r][c] & 255), k += char(marble[r][c] >> 8), k += open[r][c] ? '!' : '.';
                }
        return k;
    }
};

static bool barrier[40][40][4];
static const int dr[4] = {0, 1, -1, 0}, dc[4] = {-1, 0, 0, 1};

static bool lift(Picture& p, int n, int d) {
    for (int k = 0; k < n * n; k++) {
        const int place = dr[d] + dc[d] > 0 ? n * n - 1 - k : k;
        int r = place / n, c = place % n;
        const int id = p.marble[r][c];
        if (!id) continue;
        p.marble[r][c] = 0;
        bool gone = false;
        while (!gone && !barrier[r][c][d] && !p.marble[r + dr[d]][c + dc[d]]) {
            r += dr[d], c += dc[d];
            if (!p.open[r][c]) continue;
            if (p.open[r][c] != id) return false;
            p.open[r][c] = 0, p.left--;
            gone = true;
        }
        if (!gone) p.marble[r][c] = id;
    }
    return true;
}

int main() {
    int n, m, w, a, b, c, d;
    for (int number = 1; scanf("%d %d %d", &n, &m, &w) == 3 && n; number++) {
        std::deque<Picture> met(1);
        memset(&met[0], 0, sizeof met[0]);
        met[0].left = m, met[0].parent = -1;
        for (int i = 1; i <= 2 * m && scanf("%d %d", &a, &b) == 2; i++)
            (i <= m ? met[0].marble : met[0].open)[a][b] = i <= m ? i : i - m;
        for (int r = 0; r < n; r++)
            for (int s = 0; s < n; s++)
                for (int k = 0; k < 4; k++) {
                    const int row = r + dr[k], column = s + dc[k];
                    barrier[r][s][k] = row < 0 || column < 0 || row == n || column == n;
                }
        while (w-- > 0 && scanf("%d %d %d %d", &a, &b, &c, &d) == 4)
            for (int k = 0; k < 4; k++)
                if (a + dr[k] == c && b + dc[k] == d) barrier[a][b][k] = barrier[c][d][3 - k] = true;
        std::unordered_set<std::string> keys{met[0].key(n)};
        size_t i = 0;
        for (; i < met.size() && met[i].left; i++)
            for (int k = 0; k < 4; k++) {
                Picture p = met[i];
                p.parent = i, p.by = "ENSW"[k];
                if (lift(p, n, k) && keys.insert(p.key(n)).second) met.push_back(p);
            }
        if (i == met.size()) {
            printf("Case %d: impossible\n\n", number);
            continue;
        }
        std::string way;
        for (int at = i; met[at].parent >= 0; at = met[at].parent) way.insert(way.begin(), met[at].by);
        printf("Case %d: %zu moves%s%s\n\n", number, way.size(), way.empty() ? "" : " ", way.c_str());
    }
}
