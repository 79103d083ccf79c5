// Verdict: wrong_answer.
//
// Requires that the cells outside are connected within the grid. But a loop that touches
// the border in two places may separate them.

#include <cstdio>
#include <cstring>
#include <string>

int rows, cols;
int digit[22][22];
int colour[22][22];  // 1 inside, with a margin that is outside
bool mark[22][22];

void flood(int i, int j, int side) {
    if (i < 0 || i > rows + 1 || j < 0 || j > cols + 1) return;
    if (mark[i][j] || colour[i][j] != side) return;
    mark[i][j] = true;
    flood(i - 1, j, side);
    flood(i + 1, j, side);
    flood(i, j - 1, side);
    flood(i, j + 1, side);
}

bool oneLoop() {
    std::memset(mark, 0, sizeof mark);
    for (int i = 0; i <= rows + 1; i++) mark[i][0] = mark[i][cols + 1] = true;
    for (int j = 0; j <= cols + 1; j++) mark[0][j] = mark[rows + 1][j] = true;
    int parts[2] = {0, 0};
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= cols; j++) {
            if (mark[i][j]) continue;
            parts[colour[i][j]]++;
            flood(i, j, colour[i][j]);
        }
    }
    return parts[1] == 1 && parts[0] <= 1;  // the mistake
}

bool slide(int i, int j) {
    for (; i <= rows && j >= 1; i++, j--) {
        int here = colour[i][j];
        int missing = digit[i][j] - (colour[i - 1][j] != here) - (colour[i][j - 1] != here) - (colour[i][j + 1] != here);
        if (missing < 0 || missing > 1) return false;
        int below = missing ? 1 - here : here;
        if (i == rows && below) return false;
        colour[i + 1][j] = below;
    }
    return true;
}

bool paint(int d) {
    if (d > rows + cols) return oneLoop();
    if (d > cols) return slide(d - cols, cols) && paint(d + 1);
    for (int side = 0; side <= 1; side++) {
        colour[1][d] = side;
        if (slide(1, d - 1) && paint(d + 1)) return true;
    }
    colour[1][d] = 0;
    return false;
}

char vertex(bool up, bool down, bool left, bool right) {
    if (up && down) return '|';
    if (left && right) return '-';
    return up || down || left || right ? '+' : ' ';
}

void draw() {
    std::string frame(4 * cols + 5, '#');
    std::string margin = "#" + std::string(4 * cols + 3, ' ') + "#";
    std::printf("%s\n%s\n", frame.c_str(), margin.c_str());
    for (int i = 0; i <= rows; i++) {
        std::string line = "# ";
        for (int j = 0; j <= cols; j++) {
            int a = colour[i][j], b = colour[i][j + 1], c = colour[i + 1][j], d = colour[i + 1][j + 1];
            line += vertex(a != b, c != d, a != c, b != d);
            if (j < cols) line += b != d ? "---" : "   ";
        }
        std::printf("%s #\n", line.c_str());
        if (i == rows) break;
        line = "# ";
        for (int j = 0; j <= cols; j++) {
            line += colour[i + 1][j] != colour[i + 1][j + 1] ? '|' : ' ';
            if (j < cols) { line += ' '; line += char('0' + digit[i + 1][j + 1]); line += ' '; }
        }
        std::printf("%s #\n", line.c_str());
    }
    std::printf("%s\n%s\n", margin.c_str(), frame.c_str());
}

int main() {
    int number = 0;
    while (std::scanf("%d %d", &rows, &cols) == 2 && rows) {
        std::memset(colour, 0, sizeof colour);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j <= cols; j++)
                if (std::scanf("%d", &digit[i][j]) != 1) return 1;
        paint(1);
        std::printf("%d\n", ++number);
        draw();
    }
}
