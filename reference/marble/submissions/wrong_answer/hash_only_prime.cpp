// Expected verdict: wrong_answer.
//
// Takes a position for known if its hash is: the position as a number to the base of all
// squares, modulo a prime of 30 bits. Another position may have the same hash, and the way
// may lead over it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_set>
#include <vector>

struct Board {
    int n = 0, m = 0;
    std::vector<int> start, hole, owner;          // owner of the hole on a square, or -1
    std::array<std::vector<int>, 4> ahead;        // next square when side d of "ENSW" is lifted, or -1

    bool read() {
        int w;
        if (std::scanf("%d %d %d", &n, &m, &w) != 3 || n == 0) return false;
        const int squares = n * n;
        start.resize(m), hole.resize(m);
        owner.assign(squares, -1);
        for (int& s : start) s = square();
        for (int i = 0; i < m; ++i) owner[hole[i] = square()] = i;
        for (int d = 0; d < 4; ++d) {
            ahead[d].assign(squares, -1);
            for (int s = 0; s < squares; ++s) {
                const int r = s / n + (d == 1) - (d == 2), c = s % n + (d == 3) - (d == 0);
                if (r >= 0 && c >= 0 && r < n && c < n) ahead[d][s] = r * n + c;
            }
        }
        for (; w > 0; --w) {
            const int a = square(), b = square();
            for (auto& next : ahead) {
                if (next[a] == b) next[a] = -1;
                if (next[b] == a) next[b] = -1;
            }
        }
        return true;
    }

    int square() const {
        int r = 0, c = 0;
        return std::scanf("%d %d", &r, &c) == 2 ? r * n + c : 0;
    }
};

// Rolls marbles to where they come to rest, those in front first.
class Roller {
    const Board& b;
    std::vector<int> order, taken, filled;  // by square: in which roll a marble came to rest, a hole was filled
    int now = 0;

  public:
    explicit Roller(const Board& board) : b(board), order(b.m), taken(b.n * b.n), filled(b.n * b.n) {}

    void sort(const std::vector<int>& at) {
        for (int i = 0; i < b.m; ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](int x, int y) { return at[x] < at[y]; });
    }

    // False if a marble drops into another's hole. The marbles have been sorted.
    bool roll(const std::vector<int>& at, std::vector<int>& to, int d) {
        ++now;
        for (int k = 0; k < b.m; ++k) {
            const int i = order[d % 2 == 0 ? k : b.m - 1 - k];
            int s = at[i];
            if (s != b.hole[i]) {
                for (int next; (next = b.ahead[d][s]) >= 0 && taken[next] != now;) {
                    const int j = b.owner[s = next];
                    if (j < 0 || at[j] == s || filled[s] == now) continue;
                    if (j != i) return false;
                    filled[s] = now;
                    break;
                }
                if (filled[s] != now || s != b.hole[i]) taken[s] = now;
            }
            to[i] = s;
        }
        return true;
    }
};

uint32_t hash(const std::vector<int>& at, int n) {
    uint64_t h = 0;
    for (int s : at) h = (h * n * n + s) % 1000000007;
    return h;
}

// Searches in width. Squares are kept for each position, but what is known is only asked
// for its hash.
bool solve(const Board& b, std::string& moves) {
    std::vector<uint16_t> squares;
    std::vector<uint32_t> from;
    std::unordered_set<uint32_t> known;
    const auto add = [&](const std::vector<int>& at, uint32_t origin) {
        if (!known.insert(hash(at, b.n)).second) return;
        squares.insert(squares.end(), at.begin(), at.end());
        from.push_back(origin);
    };
    Roller roller(b);
    std::vector<int> at(b.m), to(b.m);
    add(b.start, 0);
    for (size_t i = 0; i < from.size(); ++i) {
        std::copy_n(squares.begin() + i * b.m, b.m, at.begin());
        if (at == b.hole) {
            for (size_t k = i; k; k = from[k] >> 2) moves += "ENSW"[from[k] & 3];
            std::reverse(moves.begin(), moves.end());
            return true;
        }
        roller.sort(at);
        for (int d = 0; d < 4; ++d)
            if (roller.roll(at, to, d)) add(to, uint32_t(i) << 2 | d);
    }
    return false;
}

int main() {
    Board b;
    for (int number = 1; b.read(); ++number) {
        std::string moves;
        if (solve(b, moves))
            std::printf("Case %d: %zu moves%s%s\n\n", number, moves.size(), moves.empty() ? "" : " ", moves.c_str());
        else
            std::printf("Case %d: impossible\n\n", number);
    }
}
