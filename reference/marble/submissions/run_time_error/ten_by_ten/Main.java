// Verdict: run-time error. The board is an array of ten by ten squares; on a larger one an
// ArrayIndexOutOfBoundsException ends the program. Shown by edge/far-corners.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;

public class Main {
    static int[][] hole = new int[10][10]; // number of the hole, from 1
    static boolean[][][] wall = new boolean[10][10][4];
    static final int[] DY = {0, 1, -1, 0}, DX = {-1, 0, 0, 1};
    static int n, m;

    static class State {
        String text; // two characters a marble, or two blanks
        String moves;

        State(String text, String moves) {
            this.text = text;
            this.moves = moves;
        }
    }

    static String tilt(String text, int side) {
        StringBuilder result = new StringBuilder(text);
        int[][] marble = new int[n][n];
        for (int i = 0; i < m; i++)
            if (text.charAt(2 * i) != ' ') marble[text.charAt(2 * i) - '0'][text.charAt(2 * i + 1) - '0'] = i + 1;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                int y = side == 1 ? n - 1 - a : a, x = side == 3 ? n - 1 - b : b;
                int i = marble[y][x];
                if (i == 0) continue;
                marble[y][x] = 0;
                boolean fell = false;
                while (!wall[y][x][side]) {
                    int v = y + DY[side], u = x + DX[side];
                    if (v < 0 || u < 0 || v >= n || u >= n || marble[v][u] != 0) break;
                    y = v;
                    x = u;
                    int h = hole[y][x];
                    if (h != 0 && result.charAt(2 * h - 2) != ' ') {
                        if (h != i) return null;
                        fell = true;
                        break;
                    }
                }
                if (!fell) marble[y][x] = i;
                result.setCharAt(2 * i - 2, fell ? ' ' : (char) ('0' + y));
                result.setCharAt(2 * i - 1, fell ? ' ' : (char) ('0' + x));
            }
        return result.toString();
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int number = 1; ; number++) {
            n = in.nextInt();
            m = in.nextInt();
            int w = in.nextInt();
            if (n + m + w == 0) break;
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < 10; x++) {
                    hole[y][x] = 0;
                    wall[y][x] = new boolean[4];
                }
            String start = "";
            for (int i = 0; i < m; i++) start += "" + (char) ('0' + in.nextInt()) + (char) ('0' + in.nextInt());
            for (int i = 1; i <= m; i++) hole[in.nextInt()][in.nextInt()] = i;
            for (int i = 0; i < w; i++) {
                int y = in.nextInt(), x = in.nextInt(), v = in.nextInt(), u = in.nextInt();
                for (int side = 0; side < 4; side++) {
                    if (y + DY[side] == v && x + DX[side] == u) wall[y][x][side] = wall[v][u][3 - side] = true;
                }
            }
            List<State> queue = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            queue.add(new State(start, ""));
            seen.add(start);
            String answer = "impossible";
            for (int i = 0; i < queue.size(); i++) {
                State s = queue.get(i);
                if (s.text.trim().isEmpty()) {
                    answer = s.moves.length() + " moves " + s.moves;
                    break;
                }
                for (int side = 0; side < 4; side++) {
                    String next = tilt(s.text, side);
                    if (next != null && seen.add(next)) queue.add(new State(next, s.moves + "ENSW".charAt(side)));
                }
            }
            System.out.println("Case " + number + ": " + answer);
            System.out.println();
        }
    }
}
