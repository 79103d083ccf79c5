// Verdict: run-time error. The grid has room for eighteen cells and a frame on either
// side; puzzles of twenty end in an ArrayIndexOutOfBoundsException. Shown by large/hundred-full.
import java.io.*;
import java.util.Arrays;

public class Main {
    static final int MAX = 20;
    static int h, w;
    static int[][] clue = new int[MAX][MAX], color = new int[MAX][MAX], mark = new int[MAX][MAX];

    static int visit(int y, int x, int kind) {
        if (y < 0 || x < 0 || y > h + 1 || x > w + 1 || mark[y][x] == 1 || color[y][x] != kind) return 0;
        mark[y][x] = 1;
        return 1 + visit(y - 1, x, kind) + visit(y + 1, x, kind) + visit(y, x - 1, kind) + visit(y, x + 1, kind);
    }

    static boolean check() {
        for (int[] m : mark) Arrays.fill(m, 0);
        int cells = visit(0, 0, 0);
        for (int y = 1; y <= h; y++)
            for (int x = 1; x <= w; x++)
                if (color[y][x] == 1) return cells + visit(y, x, 1) == (h + 2) * (w + 2);
        return false;
    }

    static boolean step(int sum) {
        if (sum > h + w + 1) return check();
        for (int c = 0; c < 2; c++) {
            if (sum - 1 <= w) color[1][sum - 1] = c;
            else if (c == 1) return false;
            boolean fine = true;
            for (int y = 1; fine && y <= h && y <= sum - 2; y++) {
                int x = sum - 1 - y;
                if (x > w) continue;
                int own = color[y][x];
                int k = clue[y][x] - (own ^ color[y - 1][x]) - (own ^ color[y][x - 1]) - (own ^ color[y][x + 1]);
                fine = k >= 0 && k <= 1 && (y < h || (own ^ k) == 0);
                if (fine) color[y + 1][x] = own ^ k;
            }
            if (fine && step(sum + 1)) return true;
        }
        return false;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out));
        for (int number = 1; ; number++) {
            String[] size = reader.readLine().split(" ");
            h = Integer.parseInt(size[0]);
            w = Integer.parseInt(size[1]);
            if (h == 0 && w == 0) break;
            for (int[] row : color) Arrays.fill(row, 0);
            for (int y = 1; y <= h; y++) {
                String[] words = reader.readLine().split(" ");
                for (int x = 1; x <= w; x++) clue[y][x] = Integer.parseInt(words[x - 1]);
            }
            step(2);
            out.println(number);
            String wall = "#".repeat(4 * w + 5), space = "#" + " ".repeat(4 * w + 3) + "#";
            out.println(wall + "\n" + space);
            for (int y = 0; y <= h; y++) {
                StringBuilder top = new StringBuilder("# "), mid = new StringBuilder("# ");
                for (int x = 0; x <= w; x++) {
                    int a = color[y][x], b = color[y][x + 1], c = color[y + 1][x], d = color[y + 1][x + 1];
                    int code = 8 * a + 4 * b + 2 * c + d;
                    top.append(" ++-+|++++|+-++ ".charAt(code));
                    mid.append(c == d ? ' ' : '|');
                    if (x == w) continue;
                    top.append(b == d ? "   " : "---");
                    if (y < h) mid.append(' ').append(clue[y + 1][x + 1]).append(' ');
                }
                out.println(top + " #");
                if (y < h) out.println(mid + " #");
            }
            out.println(space + "\n" + wall);
        }
        out.flush();
    }
}
