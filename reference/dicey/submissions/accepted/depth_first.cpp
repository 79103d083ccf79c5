// Verdict: accepted.
//
// A depth-first search that never removes a mark. If a solution is unique, any walk home
// without repeated states is the solution, so there is no need for a shortest walk: the
// states on the recursion stack are the answer. Every state is entered at most once.

#include <array>
#include <bitset>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

// Faces in the order top, bottom, front, back, left, right.
using Die = std::array<int, 6>;

struct Roll {
    int rows, cols;
    std::array<int, 6> from;  // which face comes to each place
};

constexpr std::array<Roll, 4> kRolls{{
    {-1, 0, {2, 3, 1, 0, 4, 5}},
    {+1, 0, {3, 2, 0, 1, 4, 5}},
    {0, -1, {5, 4, 2, 3, 0, 1}},
    {0, +1, {4, 5, 2, 3, 1, 0}},
}};

Die tipped(const Die& die, const Roll& roll) {
    Die after{};
    for (size_t i = 0; i < after.size(); ++i) after[i] = die[roll.from[i]];
    return after;
}

Die find_die(int top, int front) {
    // Two quarter turns that generate all orientations, tried in a fixed pattern:
    // away from the player, then to the left.
    Die die{1, 6, 2, 5, 4, 3};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int k = 0; k < 4; ++k) {
                if (die[0] == top && die[2] == front) return die;
                die = tipped(die, kRolls[2]);
            }
            die = tipped(die, kRolls[0]);
        }
        die = tipped(die, kRolls[2]);
    }
    return die;
}

class Maze {
public:
    explicit Maze(std::istream& in) {
        int top, front;
        in >> rows_ >> cols_ >> start_row_ >> start_col_ >> top >> front;
        die_ = find_die(top, front);
        for (int r = 1; r <= rows_; ++r)
            for (int c = 1; c <= cols_; ++c) in >> need_[r][c];
    }

    bool solve() { return search(start_row_, start_col_, die_); }
    const std::vector<std::pair<int, int>>& walk() const { return walk_; }

private:
    bool search(int row, int col, const Die& die) {
        walk_.emplace_back(row, col);
        for (const Roll& roll : kRolls) {
            const int r = row + roll.rows, c = col + roll.cols;
            if (need_[r][c] != -1 && need_[r][c] != die[0]) continue;
            if (r == start_row_ && c == start_col_) {
                walk_.emplace_back(r, c);
                return true;
            }
            const Die after = tipped(die, roll);
            auto mark = seen_[((r * 12 + c) * 7 + after[0]) * 7 + after[2]];
            if (mark) continue;
            mark = true;
            if (search(r, c, after)) return true;
        }
        walk_.pop_back();
        return false;
    }

    int rows_ = 0, cols_ = 0, start_row_ = 0, start_col_ = 0;
    Die die_{};
    int need_[12][12] = {};  // with a frame of squares that nobody may enter
    std::bitset<12 * 12 * 49> seen_;
    std::vector<std::pair<int, int>> walk_;
};

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    for (std::string name; std::cin >> name && name != "END";) {
        Maze maze(std::cin);
        std::cout << name << '\n';
        if (!maze.solve()) {
            std::cout << "  No Solution Possible\n";
            continue;
        }
        size_t count = 0;
        for (const auto& [row, col] : maze.walk()) {
            std::cout << (count == 0 ? "  " : count % 9 == 0 ? ",\n  " : ",") << '(' << row << ',' << col << ')';
            ++count;
        }
        std::cout << '\n';
    }
}
