// Verdict: time limit exceeded. Draws the loop as a pencil would: from a vertex on, in all
// directions, until it comes back; then the numbers are compared. There are far too many
// loops. Shown by sample/statement.
import java.util.Scanner;

public class Main {
    static int r, c, startY, startX;
    static int[][] clue, count;
    static boolean[][] met;
    static boolean[][] across, upright;

    static void edge(int y, int x, int dy, int dx, boolean on) {
        int delta = on ? 1 : -1;
        if (dy == 0) {
            int left = Math.min(x, x + dx);
            across[y][left] = on;
            if (y > 0) count[y - 1][left] += delta;
            if (y < r) count[y][left] += delta;
        } else {
            int top = Math.min(y, y + dy);
            upright[top][x] = on;
            if (x > 0) count[top][x - 1] += delta;
            if (x < c) count[top][x] += delta;
        }
    }

    static boolean matches() {
        for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) if (count[i][j] != clue[i][j]) return false;
        return true;
    }

    static boolean walk(int y, int x, int length) {
        int[][] ways = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
        for (int[] d : ways) {
            int v = y + d[0], u = x + d[1];
            if (v < 0 || u < 0 || v > r || u > c) continue;
            boolean home = v == startY && u == startX && length > 1;
            if (met[v][u] && !home) continue;
            edge(y, x, d[0], d[1], true);
            met[v][u] = true;
            if (home ? matches() : walk(v, u, length + 1)) return true;
            if (!home) met[v][u] = false;
            edge(y, x, d[0], d[1], false);
        }
        return false;
    }

    static void solve() {
        for (startY = 0; startY <= r; startY++)
            for (startX = 0; startX <= c; startX++) {
                met[startY][startX] = true;
                if (walk(startY, startX, 0)) return;
            }
    }

    static boolean on(boolean[][] edges, int y, int x) {
        return y >= 0 && x >= 0 && y < edges.length && x < edges[0].length && edges[y][x];
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int n = 1; (r = in.nextInt()) + (c = in.nextInt()) > 0; n++) {
            clue = new int[r][c];
            count = new int[r][c];
            for (int k = 0; k < r * c; k++) clue[k / c][k % c] = in.nextInt();
            met = new boolean[r + 1][c + 1];
            across = new boolean[r + 1][c];
            upright = new boolean[r][c + 1];
            solve();
            System.out.println(n);
            System.out.println("#".repeat(4 * c + 5));
            System.out.println("#" + " ".repeat(4 * c + 3) + "#");
            for (int y = 0; y <= r; y++) {
                String a = "# ", b = "# ";
                for (int x = 0; x <= c; x++) {
                    boolean e = on(across, y, x), w = on(across, y, x - 1), s = on(upright, y, x), t = on(upright, y - 1, x);
                    a += e && w ? "-" : s && t ? "|" : e || w ? "+" : " ";
                    b += s ? "|" : " ";
                    if (x < c) a += e ? "---" : "   ";
                    if (x < c && y < r) b += " " + clue[y][x] + " ";
                }
                System.out.println(a + " #");
                if (y < r) System.out.println(b + " #");
            }
            System.out.println("#" + " ".repeat(4 * c + 3) + "#");
            System.out.println("#".repeat(4 * c + 5));
        }
    }
}
