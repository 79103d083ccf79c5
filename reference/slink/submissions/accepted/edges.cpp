// Verdict: accepted.
//
// Decides edges. A queue of cells and vertices whose counts may force an edge is
// worked off; when it is empty and edges are left, one of them is guessed, and a
// trail of decided edges brings the state back if the guess fails. A complete
// drawing counts only if following the line visits all of its edges.

#include <array>
#include <iostream>
#include <string>
#include <vector>

namespace {

enum State : signed char { kOpen, kLine, kEmpty };

// A cell or a vertex: the edges that it counts.
struct Node {
  std::vector<int> edges;
  int digit = -1;  // of a cell; a vertex has 0 or 2 lines
  int lines = 0;
  int open = 0;
  bool queued = false;

  bool fits(int n) const { return digit >= 0 ? n == digit : n == 0 || n == 2; }
};

class Slink {
 public:
  Slink(int rows, int cols)
      : rows_(rows),
        cols_(cols),
        state_((rows + 1) * cols + rows * (cols + 1), kOpen),
        ends_(state_.size()),
        nodes_(rows * cols + (rows + 1) * (cols + 1)) {
    for (int i = 0; i <= rows; ++i) {
      for (int j = 0; j <= cols; ++j) {
        if (j < cols) {
          connect(flat(i, j), {cell(i - 1, j), cell(i, j), vertex(i, j), vertex(i, j + 1)});
        }
        if (i < rows) {
          connect(upright(i, j), {cell(i, j - 1), cell(i, j), vertex(i, j), vertex(i + 1, j)});
        }
      }
    }
  }

  void set_digit(int i, int j, int digit) { nodes_[cell(i, j)].digit = digit; }

  bool solve() {
    for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) enqueue(n);
    return search(0);
  }

  void print(std::ostream& out) const {
    const std::string border(4 * cols_ + 5, '#');
    const std::string margin = '#' + std::string(4 * cols_ + 3, ' ') + '#';
    out << border << '\n' << margin << '\n';
    for (int i = 0; i <= rows_; ++i) {
      std::string row = "# ";
      for (int j = 0; j <= cols_; ++j) {
        const bool up = drawn_upright(i - 1, j), down = drawn_upright(i, j);
        const bool left = drawn_flat(i, j - 1), right = drawn_flat(i, j);
        row += up && down ? '|' : left && right ? '-' : up || down ? '+' : ' ';
        if (j < cols_) row += right ? "---" : "   ";
      }
      out << row << " #\n";
      if (i == rows_) break;
      row = "# ";
      for (int j = 0; j <= cols_; ++j) {
        row += drawn_upright(i, j) ? '|' : ' ';
        if (j < cols_) row += {' ', static_cast<char>('0' + nodes_[cell(i, j)].digit), ' '};
      }
      out << row << " #\n";
    }
    out << margin << '\n' << border << '\n';
  }

 private:
  int cell(int i, int j) const {
    return i < 0 || i == rows_ || j < 0 || j == cols_ ? -1 : i * cols_ + j;
  }
  int vertex(int i, int j) const { return rows_ * cols_ + i * (cols_ + 1) + j; }
  int flat(int i, int j) const { return i * cols_ + j; }
  int upright(int i, int j) const { return (rows_ + 1) * cols_ + i * (cols_ + 1) + j; }
  bool drawn_flat(int i, int j) const { return j >= 0 && j < cols_ && state_[flat(i, j)] == kLine; }
  bool drawn_upright(int i, int j) const {
    return i >= 0 && i < rows_ && state_[upright(i, j)] == kLine;
  }

  // The last two nodes are the vertices at the ends of the edge.
  void connect(int edge, const std::array<int, 4>& nodes) {
    ends_[edge] = nodes;
    for (int n : nodes) {
      if (n < 0) continue;
      nodes_[n].edges.push_back(edge);
      ++nodes_[n].open;
    }
  }

  void enqueue(int n) {
    if (n >= 0 && !nodes_[n].queued) {
      nodes_[n].queued = true;
      queue_.push_back(n);
    }
  }

  void decide(int edge, State state) {
    state_[edge] = state;
    trail_.push_back(edge);
    for (int n : ends_[edge]) {
      if (n < 0) continue;
      --nodes_[n].open;
      nodes_[n].lines += state == kLine;
      enqueue(n);
    }
  }

  void undo(size_t length) {
    while (trail_.size() > length) {
      const int edge = trail_.back();
      trail_.pop_back();
      for (int n : ends_[edge]) {
        if (n < 0) continue;
        ++nodes_[n].open;
        nodes_[n].lines -= state_[edge] == kLine;
      }
      state_[edge] = kOpen;
    }
  }

  bool propagate() {
    bool consistent = true;
    while (!queue_.empty()) {
      const int n = queue_.back();
      queue_.pop_back();
      Node& node = nodes_[n];
      node.queued = false;
      if (!consistent) continue;
      int low = -1, high = -1;
      for (int k = node.lines; k <= node.lines + node.open; ++k) {
        if (!node.fits(k)) continue;
        if (low < 0) low = k;
        high = k;
      }
      if (low < 0) {
        consistent = false;
      } else if (node.open > 0 && high == node.lines) {
        settle(node, kEmpty);
      } else if (node.open > 0 && low == node.lines + node.open) {
        settle(node, kLine);
      }
    }
    return consistent;
  }

  void settle(const Node& node, State state) {
    for (int edge : node.edges) {
      if (state_[edge] == kOpen) decide(edge, state);
    }
  }

  bool search(int from) {
    if (!propagate()) return false;
    int edge = from;
    while (edge < static_cast<int>(state_.size()) && state_[edge] != kOpen) ++edge;
    if (edge == static_cast<int>(state_.size())) return one_loop();
    const size_t mark = trail_.size();
    for (State guess : {kLine, kEmpty}) {
      decide(edge, guess);
      if (search(edge + 1)) return true;
      undo(mark);
    }
    return false;
  }

  bool one_loop() const {
    int lines = 0, first = -1;
    for (int e = 0; e < static_cast<int>(state_.size()); ++e) {
      if (state_[e] != kLine) continue;
      ++lines;
      first = e;
    }
    if (first < 0) return false;
    int edge = first, at = ends_[first][3];
    do {
      --lines;
      for (int e : nodes_[at].edges) {
        if (e != edge && state_[e] == kLine) {
          edge = e;
          break;
        }
      }
      at = ends_[edge][2] == at ? ends_[edge][3] : ends_[edge][2];
    } while (edge != first);
    return lines == 0;
  }

  int rows_, cols_;
  std::vector<State> state_;
  std::vector<std::array<int, 4>> ends_;
  std::vector<Node> nodes_;
  std::vector<int> queue_, trail_;
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int rows, cols;
  for (int number = 1; std::cin >> rows >> cols && rows > 0; ++number) {
    Slink puzzle(rows, cols);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) {
        int digit;
        std::cin >> digit;
        puzzle.set_digit(i, j, digit);
      }
    }
    puzzle.solve();
    std::cout << number << '\n';
    puzzle.print(std::cout);
  }
}
