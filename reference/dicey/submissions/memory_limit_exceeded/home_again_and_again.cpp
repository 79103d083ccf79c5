// Verdict: memory limit exceeded. The parent of the last state is written down before anything
// else. If the die comes home as it left, that state is the first one too: it gets a parent, and
// the way back runs in a circle. Shown by edge/turn-back.
#include <deque>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

struct State {
    int square, top, front, right;

    bool operator<(const State &o) const {
        return std::tie(square, top, front, right) < std::tie(o.square, o.top, o.front, o.right);
    }
};

struct Maze {
    int rows, columns;
    State start;
    std::vector<int> squares;
};

// right_of turns the usual die until its top and front are the wanted ones.
int right_of(int top, int front) {
    for (int tilts = 0; tilts < 4; tilts++)
        for (int rolls = 0; rolls < 4; rolls++)
            for (int turns = 0; turns < 4; turns++) {
                int t = 1, f = 2, r = 3;
                for (int i = 0; i < tilts; i++) std::tie(t, f) = std::make_tuple(f, 7 - t);
                for (int i = 0; i < rolls; i++) std::tie(t, r) = std::make_tuple(r, 7 - t);
                for (int i = 0; i < turns; i++) std::tie(f, r) = std::make_tuple(r, 7 - f);
                if (t == top && f == front) return r;
            }
    return 0;
}

Maze read() {
    Maze m;
    int row, column;
    std::cin >> m.rows >> m.columns >> row >> column >> m.start.top >> m.start.front;
    m.start.square = (row - 1) * m.columns + column - 1;
    m.start.right = right_of(m.start.top, m.start.front);
    m.squares.resize(m.rows * m.columns);
    for (int &square : m.squares) std::cin >> square;
    return m;
}

std::vector<State> neighbours(const Maze &m, const State &s) {
    std::vector<State> all, list;
    if (s.square >= m.columns) all.push_back({s.square - m.columns, s.front, 7 - s.top, s.right});
    if (s.square < (m.rows - 1) * m.columns) all.push_back({s.square + m.columns, 7 - s.front, s.top, s.right});
    if (s.square % m.columns > 0) all.push_back({s.square - 1, s.right, s.front, 7 - s.top});
    if (s.square % m.columns < m.columns - 1) all.push_back({s.square + 1, 7 - s.right, s.front, s.top});
    for (const State &to : all)
        if (m.squares[to.square] == -1 || m.squares[to.square] == s.top) list.push_back(to);
    return list;
}

std::deque<State> solve(const Maze &m) {
    std::map<State, State> parent;
    std::deque<State> queue = {m.start}, walk;
    for (; !queue.empty(); queue.pop_front()) {
        State from = queue.front();
        for (const State &to : neighbours(m, from)) {
            if (!parent.emplace(to, from).second) continue;
            if (to.square == m.start.square) {
                walk.push_front(to);
                State s = from;
                for (auto p = parent.find(s); p != parent.end(); p = parent.find(s)) {
                    walk.push_front(s);
                    s = p->second;
                }
                walk.push_front(s);
                return walk;
            }
            queue.push_back(to);
        }
    }
    return walk;
}

int main() {
    std::string name;
    while (std::cin >> name && name != "END") {
        Maze m = read();
        std::cout << name;
        int i = 0;
        for (const State &s : solve(m)) {
            std::cout << (i == 0 ? "" : ",") << (i % 9 == 0 ? "\n  " : "");
            std::cout << '(' << s.square / m.columns + 1 << ',' << s.square % m.columns + 1 << ')';
            i++;
        }
        std::cout << (i == 0 ? "\n  No Solution Possible\n" : "\n");
    }
}
