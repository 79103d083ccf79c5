// Expected verdict: wrong_answer.
//
// A hole that a marble drops into stays open until the move is over: the marble behind it
// falls in as well, and the game seems lost.
#include <algorithm>
#include <iostream>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>

using Squares = std::vector<int>;  // of the marbles, by number

struct Board {
    int n = 0;
    Squares start, hole;
    std::set<std::pair<int, int>> walls;  // both ways

    bool read() {
        int m, w;
        if (!(std::cin >> n >> m >> w) || n == 0) return false;
        start.assign(m, 0), hole.assign(m, 0), walls.clear();
        for (int& s : start) s = square();
        for (int& s : hole) s = square();
        for (; w > 0; --w) {
            int a = square(), b = square();
            walls.insert({a, b}), walls.insert({b, a});
        }
        return true;
    }
    int square() {
        int r, c;
        std::cin >> r >> c;
        return r * n + c;
    }
    // The square next to s on side d of "ENSW" being lifted, or -1.
    int ahead(int s, int d) const {
        int r = s / n, c = s % n;
        if (d == 0) --c;
        if (d == 1) ++r;
        if (d == 2) --r;
        if (d == 3) ++c;
        if (r < 0 || c < 0 || r == n || c == n || walls.count({s, r * n + c})) return -1;
        return r * n + c;
    }

    // Rolls all marbles; false if one drops into a hole that is not its own.
    bool roll(Squares& at, int d) const {
        Squares order;
        for (size_t i = 0; i < at.size(); ++i) order.push_back(i);
        // Those in front first, so that each finds the others at rest.
        std::sort(order.begin(), order.end(), [&](int x, int y) { return d == 0 || d == 2 ? at[x] < at[y] : at[x] > at[y]; });
        std::set<int> filled, taken;
        for (size_t i = 0; i < at.size(); ++i)
            if (at[i] == hole[i]) filled.insert(at[i]);
        for (int i : order) {
            if (at[i] == hole[i]) continue;
            for (int s; (s = ahead(at[i], d)) >= 0 && !taken.count(s);) {
                at[i] = s;
                auto h = std::find(hole.begin(), hole.end(), s);
                if (h == hole.end() || filled.count(s)) continue;
                if (h - hole.begin() != i) return false;
                break;  // filled only from the next move on
            }
            if (at[i] != hole[i]) taken.insert(at[i]);
        }
        return true;
    }

    bool solve(std::string& moves) const {
        std::map<Squares, std::string> seen{{start, ""}};
        std::queue<Squares> queue;
        for (queue.push(start); !queue.empty(); queue.pop()) {
            Squares at = queue.front();
            if (at == hole) {
                moves = seen[at];
                return true;
            }
            for (int d = 0; d < 4; ++d) {
                Squares next = at;
                if (roll(next, d) && !seen.count(next)) {
                    seen[next] = seen[at] + "ENSW"[d];
                    queue.push(next);
                }
            }
        }
        return false;
    }
};

int main() {
    Board b;
    for (int number = 1; b.read(); ++number) {
        std::string moves;
        std::cout << "Case " << number << ": ";
        if (b.solve(moves))
            std::cout << moves.size() << " moves" << (moves.empty() ? "" : " ") << moves << "\n\n";
        else
            std::cout << "impossible\n\n";
    }
}
