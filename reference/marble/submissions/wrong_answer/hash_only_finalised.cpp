// Verdict: wrong answer. Each square goes through the last steps of MurmurHash3, so that
// all 32 bits depend on all squares. But there are only 32 bits, and positions with equal
// hashes pass for one. Shown by edge/same-hash-again.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Square = int;
using Position = std::vector<Square>;

struct Side {
    char name;
    int rows, columns;
};
constexpr Side kSides[] = {{'E', 0, -1}, {'N', 1, 0}, {'S', -1, 0}, {'W', 0, 1}};

class Table {
  public:
    bool read(std::istream& in) {
        int marbles, walls;
        in >> n_ >> marbles >> walls;
        if (n_ == 0) return false;
        for (int i = 0; i < marbles; ++i) start_.push_back(square(in));
        for (int i = 0; i < marbles; ++i) owner_[hole_.emplace_back(square(in))] = i;
        for (int i = 0; i < walls; ++i) {
            const Square a = square(in), b = square(in);
            wall_[{a, b}] = wall_[{b, a}] = true;
        }
        return true;
    }

    std::optional<std::string> shortest() const {
        struct From {
            std::uint32_t before;
            char side;
        };
        std::unordered_map<std::uint32_t, From> from{{hash(start_), {0, 0}}};
        std::queue<Position> todo({start_});
        for (; !todo.empty(); todo.pop()) {
            const Position& here = todo.front();
            if (here == hole_) {
                std::string way;
                for (From f = from[hash(hole_)]; f.side; f = from[f.before]) way += f.side;
                return std::string(way.rbegin(), way.rend());
            }
            for (const Side& side : kSides)
                if (auto next = lifted(here, side))
                    if (from.insert({hash(*next), {hash(here), side.name}}).second) todo.push(*next);
        }
        return {};
    }

  private:
    Square square(std::istream& in) const {
        int row, column;
        in >> row >> column;
        return row * n_ + column;
    }

    static std::uint32_t hash(const Position& p) {
        std::uint32_t h = 0;
        for (Square s : p) {
            h ^= s;
            h ^= h >> 16;
            h *= 0x85ebca6b;
            h ^= h >> 13;
            h *= 0xc2b2ae35;
            h ^= h >> 16;
        }
        return h;
    }

    std::optional<Square> ahead(Square s, const Side& side) const {
        const int row = s / n_ + side.rows, column = s % n_ + side.columns, to = row * n_ + column;
        if (row < 0 || column < 0 || row == n_ || column == n_ || wall_.count({s, to})) return {};
        return to;
    }

    std::optional<Position> lifted(const Position& before, const Side& side) const {
        std::vector<std::pair<int, int>> order;  // farthest first
        for (int i = 0; i < int(before.size()); ++i)
            if (before[i] != hole_[i]) order.push_back({-(side.rows + side.columns) * before[i], i});
        std::sort(order.begin(), order.end());
        Position after = before;
        std::vector<bool> resting(n_ * n_);
        for (const auto& [unused, i] : order) {
            Square& s = after[i];
            for (auto to = ahead(s, side); to && !resting[*to]; to = ahead(s, side)) {
                s = *to;
                const auto owner = owner_.find(s);
                if (owner == owner_.end()) continue;
                if (owner->second == i) break;
                if (after[owner->second] != s) return {};
            }
            resting[s] = s != hole_[i];
        }
        return after;
    }

    int n_ = 0;
    Position start_, hole_;
    std::map<Square, int> owner_;
    std::map<std::pair<Square, Square>, bool> wall_;
};

}  // namespace

int main() {
    for (int number = 1;; ++number) {
        Table table;
        if (!table.read(std::cin)) break;
        const auto way = table.shortest();
        std::cout << "Case " << number << ": ";
        if (way) std::cout << way->size() << " moves " << *way;
        else std::cout << "impossible";
        std::cout << "\n\n";
    }
}
