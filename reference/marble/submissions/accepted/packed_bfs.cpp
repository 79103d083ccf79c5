// Expected verdict: accepted.
//
// Breadth-first search from the start, one thread. A position is packed into
// 64-bit words, 11 bits a marble; a hash table finds known positions by their
// numbers. The places of all successors are fetched from memory at once before
// the first of them is looked up. Marbles are kept sorted by square, so that a
// single pass in rising or falling order meets those ahead first, whatever the
// direction; a roll jumps to its end by table instead of stepping.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

const char kSides[] = "ENSW";

struct Board {
    int n = 0, m = 0;
    std::vector<int> start, hole;
    std::vector<int> owner;              // of the hole on a square, or -1
    std::array<std::vector<int>, 4> end;  // where a roll without obstacles ends
    std::array<std::vector<int>, 4> next_hole;  // nearest hole ahead, or -1
    std::array<int, 4> step{};            // what one square of rolling adds

    bool read() {
        int w;
        if (std::scanf("%d %d %d", &n, &m, &w) != 3 || n == 0) return false;
        int squares = n * n;
        start.resize(m);
        hole.resize(m);
        owner.assign(squares, -1);
        for (int& s : start) s = read_square();
        for (int i = 0; i < m; ++i) owner[hole[i] = read_square()] = i;
        std::vector<std::array<bool, 2>> wall(squares);  // to the south, east
        for (int i = 0; i < w; ++i) {
            int a = read_square(), b = read_square();
            wall[std::min(a, b)][std::abs(a - b) == 1] = true;
        }
        step = {-1, n, -n, 1};
        for (int d = 0; d < 4; ++d) {
            end[d].assign(squares, 0);
            next_hole[d].assign(squares, -1);
            for (int k = 0; k < squares; ++k) {
                int s = step[d] < 0 ? k : squares - 1 - k, to = s + step[d];
                bool across = std::abs(step[d]) == 1;
                bool open = across ? to >= 0 && to < squares && to / n == s / n
                                   : to >= 0 && to < squares;
                if (open) open = !wall[std::min(s, to)][across];
                end[d][s] = open ? end[d][to] : s;
                if (open) next_hole[d][s] = owner[to] >= 0 ? to : next_hole[d][to];
            }
        }
        return true;
    }

    int read_square() const {
        int r = 0, c = 0;
        if (std::scanf("%d %d", &r, &c) != 2) return 0;
        return r * n + c;
    }
};

template <int Words>
class Search {
    static constexpr int kBits = 11, kPerWord = 5;
    using Key = std::array<uint64_t, Words>;

    const Board& b;
    std::vector<Key> keys;
    std::vector<uint32_t> from;  // number of the position before, times 4, plus the move
    std::vector<uint32_t> table;
    std::vector<int> at, moved, order;
    std::vector<int> rest, stamp;  // next free square before a wall, and in which roll
    std::vector<int> filled;       // the roll that filled a hole
    int now = 0;

    static uint64_t hash(const Key& k) {
        uint64_t h = 0;
        for (uint64_t w : k) {
            h = (h ^ w) * 0xff51afd7ed558ccdULL;
            h ^= h >> 33;
        }
        return h;
    }

    Key pack(const std::vector<int>& squares) const {
        Key k{};
        for (int i = 0; i < b.m; ++i)
            k[i / kPerWord] |= uint64_t(squares[i]) << i % kPerWord * kBits;
        return k;
    }

    void unpack(const Key& k) {
        for (int i = 0; i < b.m; ++i)
            at[i] = k[i / kPerWord] >> i % kPerWord * kBits & ((1 << kBits) - 1);
    }

    void add(const Key& k, uint32_t origin) {
        size_t mask = table.size() - 1, p = hash(k) & mask;
        for (; table[p]; p = (p + 1) & mask)
            if (keys[table[p] - 1] == k) return;
        keys.push_back(k);
        from.push_back(origin);
        table[p] = keys.size();
        if (keys.size() * 3 > table.size() * 2) grow();
    }

    void grow() {
        size_t size = table.size() * 2, mask = size - 1;
        table = {};
        table.assign(size, 0);
        for (size_t i = 0; i < keys.size(); ++i) {
            size_t p = hash(keys[i]) & mask;
            while (table[p]) p = (p + 1) & mask;
            table[p] = i + 1;
        }
    }

    // Rolls `at` into `moved`; false if a marble falls into another's hole.
    bool roll(int d) {
        ++now;
        for (int k = 0; k < b.m; ++k) {
            int i = b.step[d] < 0 ? order[k] : order[b.m - 1 - k];
            int s = at[i];
            moved[i] = s;
            if (s == b.hole[i]) continue;
            int h = b.next_hole[d][s];
            while (h >= 0 && full(h)) h = b.next_hole[d][h];
            if (h >= 0) {
                if (b.owner[h] != i) return false;
                moved[i] = h;
                filled[h] = now;
                continue;
            }
            int e = b.end[d][s];
            if (stamp[e] != now) {
                stamp[e] = now;
                rest[e] = e;
            }
            moved[i] = rest[e];
            rest[e] -= b.step[d];
        }
        return true;
    }

    // A hole is full if its marble was in it before or has just rolled into it.
    bool full(int h) const { return at[b.owner[h]] == h || filled[h] == now; }

  public:
    explicit Search(const Board& board)
        : b(board), table(1024), at(b.m), moved(b.m), order(b.m),
          rest(b.n * b.n), stamp(b.n * b.n), filled(b.n * b.n) {}

    bool run(std::string& moves) {
        std::array<Key, 4> next;
        std::array<uint32_t, 4> origin;
        const Key home = pack(b.hole);
        add(pack(b.start), 0);
        for (size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] == home) {
                for (size_t k = i; k; k = from[k] >> 2) moves += kSides[from[k] & 3];
                std::reverse(moves.begin(), moves.end());
                return true;
            }
            unpack(keys[i]);
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](int x, int y) { return at[x] < at[y]; });
            int found = 0;
            for (int d = 0; d < 4; ++d) {
                if (!roll(d)) continue;
                Key k = pack(moved);
                if (k == keys[i]) continue;
                __builtin_prefetch(&table[hash(k) & (table.size() - 1)]);
                next[found] = k;
                origin[found++] = uint32_t(i) << 2 | d;
            }
            for (int f = 0; f < found; ++f) add(next[f], origin[f]);
        }
        return false;
    }
};

}  // namespace

int main() {
    Board b;
    for (int number = 1; b.read(); ++number) {
        std::string moves;
        bool won = b.m <= 5    ? Search<1>(b).run(moves)
                   : b.m <= 10 ? Search<2>(b).run(moves)
                   : b.m <= 40 ? Search<8>(b).run(moves)
                               : Search<320>(b).run(moves);
        if (won)
            std::printf("Case %d: %zu moves%s%s\n\n", number, moves.size(),
                        moves.empty() ? "" : " ", moves.c_str());
        else
            std::printf("Case %d: impossible\n\n", number);
    }
}
