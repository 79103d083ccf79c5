// Verdict: time_limit_exceeded.
//
// Colours the cells row by row. Nothing is tested before the first row is
// complete, so with 20 columns it goes through a million first rows, and it does
// not stop at the solution either, but looks whether there is another one. Small
// grids hide this; a hundred large ones do not.

#include <iostream>
#include <string>
#include <vector>

struct Puzzle {
  int rows, cols;
  std::vector<std::vector<int>> digit, inside, solution;  // with a margin
  std::vector<std::vector<int>> component;

  Puzzle(int r, int c)
      : rows(r), cols(c), digit(r + 2, std::vector<int>(c + 2)), inside(digit), component(digit) {}

  int wrong_neighbours(int i, int j) const {
    const int here = inside[i][j];
    return (inside[i - 1][j] != here) + (inside[i][j - 1] != here) + (inside[i][j + 1] != here);
  }

  // Colours the first row from column j on.
  void first_row(int j) {
    if (j > cols) {
      next_row(1);
      return;
    }
    for (int side = 0; side < 2; ++side) {
      inside[1][j] = side;
      first_row(j + 1);
    }
    inside[1][j] = 0;
  }

  // The numbers of row i determine row i + 1.
  void next_row(int i) {
    if (i > rows) {
      if (one_loop()) solution = inside;
      return;
    }
    std::vector<int> below(cols + 2);
    bool possible = true;
    for (int j = 1; j <= cols; ++j) {
      const int missing = digit[i][j] - wrong_neighbours(i, j);
      below[j] = missing ? 1 - inside[i][j] : inside[i][j];
      possible &= missing >= 0 && missing <= 1 && !(i == rows && below[j]);
    }
    if (!possible) return;
    const std::vector<int> before = inside[i + 1];
    inside[i + 1] = below;
    next_row(i + 1);
    inside[i + 1] = before;
  }

  void flood(int i, int j, int name) {
    component[i][j] = name;
    const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (const auto& step : steps) {
      const int y = i + step[0], x = j + step[1];
      if (y < 0 || x < 0 || y > rows + 1 || x > cols + 1) continue;
      if (!component[y][x] && inside[y][x] == inside[i][j]) flood(y, x, name);
    }
  }

  bool one_loop() {
    for (auto& row : component) row.assign(row.size(), 0);
    int pieces = 0;
    for (int i = 0; i <= rows + 1; ++i) {
      for (int j = 0; j <= cols + 1; ++j) {
        if (!component[i][j]) flood(i, j, ++pieces);
      }
    }
    return pieces == 2;
  }

  void draw() const {
    const std::string frame(4 * cols + 5, '#'), blank = '#' + std::string(4 * cols + 3, ' ') + '#';
    std::cout << frame << '\n' << blank << '\n';
    for (int i = 0; i <= rows; ++i) {
      std::string upper = blank, lower = blank;
      for (int j = 0; j <= cols; ++j) {
        const bool up = solution[i][j] != solution[i][j + 1];
        const bool down = solution[i + 1][j] != solution[i + 1][j + 1];
        const bool left = solution[i][j] != solution[i + 1][j];
        const bool right = solution[i][j + 1] != solution[i + 1][j + 1];
        const int x = 4 * j + 2;
        if (up && down) upper[x] = '|';
        else if (left && right) upper[x] = '-';
        else if (up || down) upper[x] = '+';
        if (right) upper.replace(x + 1, 3, "---");
        if (down) lower[x] = '|';
        if (i < rows && j < cols) lower[x + 2] = static_cast<char>('0' + digit[i + 1][j + 1]);
      }
      std::cout << upper << '\n';
      if (i < rows) std::cout << lower << '\n';
    }
    std::cout << blank << '\n' << frame << '\n';
  }
};

int main() {
  int r, c;
  for (int number = 1; std::cin >> r >> c && r; ++number) {
    Puzzle puzzle(r, c);
    for (int i = 1; i <= r; ++i) {
      for (int j = 1; j <= c; ++j) std::cin >> puzzle.digit[i][j];
    }
    puzzle.first_row(1);
    std::cout << number << '\n';
    puzzle.draw();
  }
}
