// Verdict: wrong answer. The first puzzle is number 0. Shown by sample/statement.
import java.util.*;

public class Slink {
    static int rows, columns;
    static int[][] number;
    static boolean[][] inside; // with a frame

    static boolean place(int diagonal) {
        if (diagonal == rows + columns) return single();
        for (int choice = 0; choice < (diagonal < columns ? 2 : 1); choice++) {
            if (diagonal < columns) inside[1][diagonal + 1] = choice == 1;
            if (follow(diagonal) && place(diagonal + 1)) return true;
        }
        return false;
    }

    static boolean follow(int diagonal) {
        for (int i = 2, j = diagonal; i <= rows + 1 && j >= 1; i++, j--) {
            if (j > columns) continue;
            boolean own = inside[i - 1][j];
            int open = number[i - 2][j - 1];
            if (own != inside[i - 2][j]) open--;
            if (own != inside[i - 1][j - 1]) open--;
            if (own != inside[i - 1][j + 1]) open--;
            if (open < 0 || open > 1) return false;
            boolean below = own ^ open == 1;
            if (i > rows && below) return false;
            inside[i][j] = below;
        }
        return true;
    }

    static boolean single() {
        boolean[][] seen = new boolean[rows + 2][columns + 2];
        int[] regions = new int[2];
        for (int i = 0; i < rows + 2; i++)
            for (int j = 0; j < columns + 2; j++) {
                if (seen[i][j]) continue;
                regions[inside[i][j] ? 1 : 0]++;
                Deque<int[]> todo = new ArrayDeque<>();
                todo.add(new int[] {i, j});
                seen[i][j] = true;
                while (!todo.isEmpty()) {
                    int[] cell = todo.pop();
                    for (int[] d : new int[][] {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
                        int y = cell[0] + d[0], x = cell[1] + d[1];
                        if (y < 0 || x < 0 || y > rows + 1 || x > columns + 1) continue;
                        if (seen[y][x] || inside[y][x] != inside[cell[0]][cell[1]]) continue;
                        seen[y][x] = true;
                        todo.push(new int[] {y, x});
                    }
                }
            }
        return regions[0] == 1 && regions[1] == 1;
    }

    static void draw() {
        int height = 2 * rows + 5, width = 4 * columns + 5;
        char[][] page = new char[height][width];
        for (char[] line : page) Arrays.fill(line, ' ');
        for (int y = 0; y < height; y++) page[y][0] = page[y][width - 1] = '#';
        for (int x = 0; x < width; x++) page[0][x] = page[height - 1][x] = '#';
        for (int i = 0; i <= rows; i++)
            for (int j = 0; j <= columns; j++) {
                boolean nw = inside[i][j], ne = inside[i][j + 1], sw = inside[i + 1][j], se = inside[i + 1][j + 1];
                int y = 2 * i + 2, x = 4 * j + 2;
                if (ne != se) page[y][x + 1] = page[y][x + 2] = page[y][x + 3] = '-';
                if (sw != se) page[y + 1][x] = '|';
                if (nw != ne && sw != se) page[y][x] = '|';
                else if (nw != sw && ne != se) page[y][x] = '-';
                else if (nw != ne || sw != se) page[y][x] = '+';
                if (i < rows && j < columns) page[y + 1][x + 2] = (char) ('0' + number[i][j]);
            }
        for (char[] line : page) System.out.println(line);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int puzzle = 0; ; puzzle++) {
            rows = in.nextInt();
            columns = in.nextInt();
            if (rows == 0) break;
            number = new int[rows][columns];
            inside = new boolean[rows + 2][columns + 2];
            for (int[] row : number) for (int j = 0; j < columns; j++) row[j] = in.nextInt();
            place(0);
            System.out.println(puzzle);
            draw();
        }
    }
}
