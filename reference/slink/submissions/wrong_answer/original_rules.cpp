// Verdict: wrong_answer.
//
// Right by the original, whose puzzles have two rows and columns at least and are solved
// by the rules of its statement alone, each applied wherever it can be. What these leave
// open is not drawn here. So it is wrong only in the group beyond: on grids of one row or
// column, on loops round two cells, between whose 3s the rules demand a line, and on
// puzzles that need a trial or a look at the loop as a whole.

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace {

enum Mark { open, line, cross };

struct Edge {
  bool flat;
  int i, j;
};

class Sketch {
 public:
  Sketch(int r, int c) : r_(r), c_(c), number_(r, std::vector<int>(c)), marks_(2 * (r + 1) * (c + 1)) {}

  int& number(int i, int j) { return number_[i][j]; }

  bool exists(Edge e) const { return e.i >= 0 && e.j >= 0 && e.i < r_ + e.flat && e.j < c_ + !e.flat; }

  // What lies beyond the grid is no part of the loop.
  Mark at(Edge e) const { return exists(e) ? marks_[place(e)] : cross; }

  void solve() {
    do {
      changed_ = false;
      for (int i = 0; i <= r_; ++i) {
        for (int j = 0; j <= c_; ++j) vertex(i, j);
      }
      for (int i = 0; i < r_; ++i) {
        for (int j = 0; j < c_; ++j) cell(i, j);
      }
    } while (changed_);
  }

  void draw(int count) const {
    const int width = 4 * c_ + 5, height = 2 * r_ + 5;
    std::vector<std::string> page(height, std::string(width, ' '));
    for (int y = 0; y < height; ++y) page[y][0] = page[y][width - 1] = '#';
    page[0] = page[height - 1] = std::string(width, '#');
    for (int i = 0; i <= r_; ++i) {
      for (int j = 0; j <= c_; ++j) {
        const int y = 2 * i + 2, x = 4 * j + 2;
        const bool up = at({false, i - 1, j}) == line, down = at({false, i, j}) == line;
        const bool left = at({true, i, j - 1}) == line, right = at({true, i, j}) == line;
        if (up || down || left || right) page[y][x] = up && down ? '|' : left && right ? '-' : '+';
        if (right) page[y].replace(x + 1, 3, "---");
        if (down) page[y + 1][x] = '|';
        if (i < r_ && j < c_) page[y + 1][x + 2] = char('0' + number_[i][j]);
      }
    }
    std::printf("%d\n", count);
    for (const auto& row : page) std::puts(row.c_str());
  }

 private:
  int place(Edge e) const { return ((e.flat ? 0 : r_ + 1) + e.i) * (c_ + 1) + e.j; }

  void set(Edge e, Mark m) {
    if (at(e) != open) return;
    marks_[place(e)] = m;
    changed_ = true;
  }

  template <class Edges>
  void set_all(const Edges& edges, Mark m) {
    for (Edge e : edges) set(e, m);
  }

  template <class Edges>
  int count(const Edges& edges, Mark m) const {
    int n = 0;
    for (Edge e : edges) n += at(e) == m;
    return n;
  }

  void vertex(int i, int j) {
    const std::array<Edge, 4> edges{{{true, i, j - 1}, {true, i, j}, {false, i - 1, j}, {false, i, j}}};
    const int lines = count(edges, line), opens = count(edges, open);
    if (lines == 2 || (lines == 0 && opens == 1)) set_all(edges, cross);
    if (lines == 1 && opens == 1) set_all(edges, line);
  }

  // A corner of a cell has two edges of the cell and two that lead away from it.
  using Pair = std::array<Edge, 2>;
  Pair inner(int i, int j, int a, int b) const { return {{{true, i + a, j}, {false, i, j + b}}}; }
  Pair outer(int i, int j, int a, int b) const {
    return {{{true, i + a, b ? j + 1 : j - 1}, {false, a ? i + 1 : i - 1, j + b}}};
  }

  bool has(int i, int j, int n) const { return i >= 0 && j >= 0 && i < r_ && j < c_ && number_[i][j] == n; }

  void cell(int i, int j) {
    const int n = number_[i][j];
    const std::array<Edge, 4> edges{{{true, i, j}, {true, i + 1, j}, {false, i, j}, {false, i, j + 1}}};
    const int lines = count(edges, line);
    if (lines == n) set_all(edges, cross);
    if (lines + count(edges, open) == n) set_all(edges, line);
    if (n == 3 && has(i, j + 1, 3)) {
      for (int b = 0; b < 3; ++b) set({false, i, j + b}, line);
    }
    if (n == 3 && has(i + 1, j, 3)) {
      for (int a = 0; a < 3; ++a) set({true, i + a, j}, line);
    }
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) corner(i, j, a, b);
    }
  }

  void corner(int i, int j, int a, int b) {
    const int n = number_[i][j];
    const auto in = inner(i, j, a, b), out = outer(i, j, a, b);
    const auto far_in = inner(i, j, 1 - a, 1 - b), far_out = outer(i, j, 1 - a, 1 - b);
    const int beyond_i = i + 1 - 2 * a, beyond_j = j + 1 - 2 * b;  // of the cell across the far corner
    const bool blocked = count(out, cross) == 2;
    const bool enters = count(out, line) == 1 && count(out, cross) == 1;

    if (n == 3 && has(beyond_i, beyond_j, 3)) set_all(in, line);
    if (n == 3 && blocked) set_all(in, line);
    if (n == 1 && blocked) set_all(in, cross);
    if (n == 3 && enters) set_all(far_in, line);
    if (n == 1 && enters) set_all(far_in, cross);
    if (n == 2 && blocked) {
      for (const Pair& next : {outer(i, j, 1 - a, b), outer(i, j, a, 1 - b)}) {
        if (count(next, cross) == 1) set_all(next, line);
      }
    }
    if (n == 2 && enters && count(far_out, cross) == 1) set_all(far_out, line);
    if (n == 3 && has(beyond_i, beyond_j, 1)) {
      const auto last = inner(beyond_i, beyond_j, 1 - a, 1 - b);
      if (blocked) set_all(last, cross);
      if (count(last, cross) == 2) set_all(out, cross);
    }
  }

  int r_, c_;
  std::vector<std::vector<int>> number_;
  std::vector<Mark> marks_;
  bool changed_ = false;
};

}  // namespace

int main() {
  int r, c;
  for (int count = 1; std::scanf("%d %d", &r, &c) == 2 && r > 0; ++count) {
    Sketch sketch(r, c);
    for (int i = 0; i < r; ++i) {
      for (int j = 0; j < c; ++j) {
        if (std::scanf("%d", &sketch.number(i, j)) != 1) return 1;
      }
    }
    sketch.solve();
    sketch.draw(count);
  }
}
