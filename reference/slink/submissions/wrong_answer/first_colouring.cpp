// Verdict: wrong_answer.
//
// Colours the cells inside and outside so that every number is obeyed, and draws
// the first colouring it finds: it forgets that the border of the inside must be
// one loop. The sample has no second colouring, but two loops that fit as well
// give it away.

#include <iostream>
#include <string>
#include <vector>

struct Puzzle {
  int rows, cols;
  std::vector<std::vector<int>> digit, colour;  // with a margin of zeros

  Puzzle(int r, int c)
      : rows(r), cols(c), digit(r + 2, std::vector<int>(c + 2)), colour(digit) {}

  // Colours column d of the first row, and all cells that follow from it.
  bool paint(int d) {
    if (d > rows + cols) return true;
    if (d > cols) return slide(d - cols, cols) && paint(d + 1);
    for (int side = 1; side >= 0; --side) {
      colour[1][d] = side;
      if (slide(1, d - 1) && paint(d + 1)) return true;
    }
    return false;
  }

  // The number of cell (i, j) settles the cell below, and so on down to the left.
  bool slide(int i, int j) {
    for (; i <= rows && j > 0; ++i, --j) {
      const int here = colour[i][j];
      const int missing = digit[i][j] - (colour[i - 1][j] != here) - (colour[i][j - 1] != here) -
                          (colour[i][j + 1] != here);
      if (missing < 0 || missing > 1) return false;
      const int below = missing ? 1 - here : here;
      if (i == rows && below) return false;
      colour[i + 1][j] = below;
    }
    return true;
  }

  void draw() const {
    const std::string frame(4 * cols + 5, '#');
    std::vector<std::string> picture(2 * rows + 5, '#' + std::string(4 * cols + 3, ' ') + '#');
    picture.front() = picture.back() = frame;
    for (int i = 0; i <= rows; ++i) {
      for (int j = 0; j <= cols; ++j) {
        const int a = colour[i][j], b = colour[i][j + 1], c = colour[i + 1][j], d = colour[i + 1][j + 1];
        char* at = &picture[2 * i + 2][4 * j + 2];
        if (a != b && c != d) *at = '|';
        else if (a != c && b != d) *at = '-';
        else if (a != b || c != d) *at = '+';
        if (b != d) at[1] = at[2] = at[3] = '-';
        if (c != d) picture[2 * i + 3][4 * j + 2] = '|';
        if (i < rows && j < cols) picture[2 * i + 3][4 * j + 4] = static_cast<char>('0' + digit[i + 1][j + 1]);
      }
    }
    for (const std::string& line : picture) std::cout << line << '\n';
  }
};

int main() {
  int r, c;
  for (int number = 1; std::cin >> r >> c && r; ++number) {
    Puzzle puzzle(r, c);
    for (int i = 1; i <= r; ++i) {
      for (int j = 1; j <= c; ++j) std::cin >> puzzle.digit[i][j];
    }
    puzzle.paint(1);
    std::cout << number << '\n';
    puzzle.draw();
  }
}
