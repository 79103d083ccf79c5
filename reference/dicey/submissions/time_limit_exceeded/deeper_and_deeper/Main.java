// Verdict: time limit exceeded. Searches for walks of two steps, of four, of six and so on
// up to as many as there are states, each time by trying all of them. Shown by
// edge/start-empty.
import java.io.*;

public class Main {
    static int rows, columns, homeRow, homeColumn;
    static int[][] maze;
    static int[] rowAt = new int[5000], columnAt = new int[5000];

    static boolean walk(int r, int c, int top, int front, int right, int done, int steps) {
        rowAt[done] = r;
        columnAt[done] = c;
        if (done == steps) return r == homeRow && c == homeColumn;
        if (done > 0 && r == homeRow && c == homeColumn) return false;
        return open(r - 1, c, top) && walk(r - 1, c, front, 7 - top, right, done + 1, steps)
            || open(r + 1, c, top) && walk(r + 1, c, 7 - front, top, right, done + 1, steps)
            || open(r, c - 1, top) && walk(r, c - 1, right, front, 7 - top, done + 1, steps)
            || open(r, c + 1, top) && walk(r, c + 1, 7 - right, front, top, done + 1, steps);
    }

    static boolean open(int r, int c, int top) {
        return r > 0 && r <= rows && c > 0 && c <= columns && (maze[r][c] == -1 || maze[r][c] == top);
    }

    static int findRight(int top, int front) {
        String[] around = {"23542", "14631", "12651"};
        if (top < 4) {
            String s = around[top - 1];
            return s.charAt(s.indexOf("" + front) + 1) - '0';
        }
        String s = around[6 - top];
        return s.charAt(s.lastIndexOf("" + front) - 1 < 0 ? 3 : s.lastIndexOf("" + front) - 1) - '0';
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String name; !(name = in.readLine().trim()).equals("END"); ) {
            String[] head = in.readLine().trim().split("\\s+");
            rows = Integer.parseInt(head[0]);
            columns = Integer.parseInt(head[1]);
            homeRow = Integer.parseInt(head[2]);
            homeColumn = Integer.parseInt(head[3]);
            int top = Integer.parseInt(head[4]), front = Integer.parseInt(head[5]);
            maze = new int[rows + 1][columns + 1];
            for (int r = 1; r <= rows; r++) {
                String[] line = in.readLine().trim().split("\\s+");
                for (int c = 1; c <= columns; c++) maze[r][c] = Integer.parseInt(line[c - 1]);
            }
            System.out.println(name);
            int steps = 2, right = findRight(top, front);
            while (steps <= 24 * rows * columns && !walk(homeRow, homeColumn, top, front, right, 0, steps)) steps += 2;
            if (steps > 24 * rows * columns) {
                System.out.println("  No Solution Possible");
                continue;
            }
            for (int i = 0; i <= steps; i++) {
                System.out.print((i % 9 == 0 ? "  " : "") + "(" + rowAt[i] + "," + columnAt[i] + ")");
                System.out.print(i == steps ? "\n" : i % 9 == 8 ? ",\n" : ",");
            }
        }
    }
}
