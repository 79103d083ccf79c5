// Verdict: presentation error. Numbers are written three characters wide, so that there
// are extra blanks between "Case" and the number of the board. Shown by
// sample/statement.
#include <algorithm>
#include <array>
#include <deque>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using Square = std::pair<int, int>;
using Position = std::vector<Square>;

std::istream& operator>>(std::istream& in, Square& s) { return in >> s.first >> s.second; }

class Board {
    int size_;
    Position start_, holes_;
    std::set<std::pair<Square, Square>> walls_;

public:
    Board(std::istream& in, int size, int marbles, int walls) : size_(size), start_(marbles), holes_(marbles) {
        for (Position* list : {&start_, &holes_})
            for (Square& s : *list) ::operator>>(in, s);
        while (walls-- > 0) {
            Square a, b;
            ::operator>>(::operator>>(in, a), b);
            walls_.insert({a, b});
            walls_.insert({b, a});
        }
    }

    std::optional<Position> lift(Position at, Square way) const {
        const auto [dr, dc] = way;
        std::vector<int> order(at.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int i, int j) {
            return at[i].first * dr + at[i].second * dc > at[j].first * dr + at[j].second * dc;
        });
        std::set<Square> resting;
        for (const int i : order) {
            Square& s = at[i];
            while (s != holes_[i]) {
                const Square to{s.first + dr, s.second + dc};
                if (std::min(to.first, to.second) < 0 || std::max(to.first, to.second) >= size_) break;
                if (resting.count(to) || walls_.count({s, to})) break;
                s = to;
                const auto hole = std::find(holes_.begin(), holes_.end(), s) - holes_.begin();
                if (hole < std::ssize(holes_) && hole != i && at[hole] != s) return std::nullopt;
            }
            if (s != holes_[i]) resting.insert(s);
        }
        return at;
    }

    std::optional<std::string> solve() const {
        static const std::map<char, Square> ways{{'E', {0, -1}}, {'N', {1, 0}}, {'S', {-1, 0}}, {'W', {0, 1}}};
        std::map<Position, std::string> seen{{start_, ""}};
        for (std::deque<Position> queue{start_}; !queue.empty(); queue.pop_front()) {
            const std::string moves = seen[queue.front()];
            if (queue.front() == holes_) return moves;
            for (const auto& [side, way] : ways)
                if (const auto next = lift(queue.front(), way))
                    if (seen.emplace(*next, moves + side).second) queue.push_back(*next);
        }
        return std::nullopt;
    }
};

int main() {
    int number = 0;
    for (int size, marbles, walls; std::cin >> size >> marbles >> walls && size > 0;) {
        const auto moves = Board(std::cin, size, marbles, walls).solve();
        std::cout << "Case " << std::setw(3) << ++number << ": ";
        if (moves) std::cout << moves->size() << " moves " << *moves;
        else std::cout << "impossible";
        std::cout << "\n\n";
    }
}
