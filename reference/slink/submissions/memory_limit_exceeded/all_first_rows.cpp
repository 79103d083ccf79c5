// Verdict: memory limit exceeded. Keeps all colourings that are still possible, each with
// room for the whole grid. Nothing can be excluded from a row before the next one is
// known, so that 20 columns make a million of them. Shown by large/hundred-full.
#include <iostream>
#include <string>
#include <vector>

using Grid = std::string;  // cells row by row, '1' inside

struct Puzzle {
    int rows, columns;
    std::vector<int> number;

    char at(const Grid& g, int i, int j) const {
        return i < 0 || j < 0 || i >= rows || j >= columns ? '0' : g[i * columns + j];
    }

    std::vector<Grid> first_rows() const {
        std::vector<Grid> list;
        for (unsigned long code = 0; code < 1ul << columns; ++code) {
            Grid g(rows * columns, '0');
            for (int j = 0; j < columns; ++j) g[j] += code >> j & 1;
            list.push_back(g);
        }
        return list;
    }

    bool next_row(Grid& g, int i) const {
        for (int j = 0; j < columns; ++j) {
            const char own = at(g, i, j);
            const int rest = number[i * columns + j] - (own != at(g, i - 1, j)) - (own != at(g, i, j - 1)) - (own != at(g, i, j + 1));
            if (rest < 0 || rest > 1) return false;
            const char below = own ^ rest;
            if (i + 1 < rows) g[(i + 1) * columns + j] = below;
            else if (below != '0') return false;
        }
        return true;
    }

    void flood(const Grid& g, std::vector<bool>& seen, int i, int j) const {
        if (i < -1 || j < -1 || i > rows || j > columns) return;
        const int index = (i + 1) * (columns + 2) + j + 1;
        if (seen[index]) return;
        seen[index] = true;
        for (const auto& [y, x] : {std::pair{i + 1, j}, {i - 1, j}, {i, j + 1}, {i, j - 1}})
            if (at(g, y, x) == at(g, i, j)) flood(g, seen, y, x);
    }

    bool one_loop(const Grid& g) const {
        std::vector<bool> seen((rows + 2) * (columns + 2));
        flood(g, seen, -1, -1);
        const auto first = g.find('1');
        if (first == Grid::npos) return false;
        flood(g, seen, first / columns, first % columns);
        for (const bool s : seen) if (!s) return false;
        return true;
    }

    Grid solve() const {
        std::vector<Grid> list = first_rows();
        for (int i = 0; i < rows; ++i) std::erase_if(list, [&](Grid& g) { return !next_row(g, i); });
        for (const Grid& g : list) if (one_loop(g)) return g;
        return Grid(rows * columns, '0');
    }

    void draw(const Grid& g) const {
        const std::string frame(4 * columns + 5, '#'), space = '#' + std::string(4 * columns + 3, ' ') + '#';
        std::cout << frame << '\n' << space << '\n';
        for (int i = 0; i <= rows; ++i) {
            std::string vertices, numbers;
            for (int j = 0; j <= columns; ++j) {
                const char a = at(g, i - 1, j - 1), b = at(g, i - 1, j), c = at(g, i, j - 1), d = at(g, i, j);
                vertices += a == b && c == d ? (a == c ? ' ' : '-') : a == c && b == d ? '|' : '+';
                numbers += c == d ? ' ' : '|';
                if (j == columns) break;
                vertices += b == d ? "   " : "---";
                if (i < rows) numbers += ' ' + std::to_string(number[i * columns + j]) + ' ';
            }
            std::cout << "# " << vertices << " #\n";
            if (i < rows) std::cout << "# " << numbers << " #\n";
        }
        std::cout << space << '\n' << frame << '\n';
    }
};

int main() {
    Puzzle p;
    for (int k = 1; std::cin >> p.rows >> p.columns && p.rows != 0; ++k) {
        p.number.resize(p.rows * p.columns);
        for (int& n : p.number) std::cin >> n;
        std::cout << k << '\n';
        p.draw(p.solve());
    }
}
