// Verdict: wrong answer. Positions are counted from the end of the list: F n turns the
// last n cells round. Shown by sample/statement.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.Deque;

public class Main {
    static BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    static int[] pair() throws IOException {
        String[] words = in.readLine().trim().split(" ");
        return new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
    }

    public static void main(String[] args) throws IOException {
        int count = Integer.parseInt(in.readLine().trim());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            try {
                all.append(picture(pair(), pair()));
            } catch (RuntimeException e) {
                break; // the commands do not fit
            }
        }
        System.out.print(all);
    }

    static char[][] picture;

    static String picture(int[] size, int[] start) throws IOException {
        int m = size[0], n = size[1];
        boolean[][] visited = new boolean[m + 2][n + 2];
        for (int c = 0; c <= n + 1; c++) visited[0][c] = visited[m + 1][c] = true;
        for (int r = 0; r <= m + 1; r++) visited[r][0] = visited[r][n + 1] = true;
        picture = new char[m][];
        for (int r = 0; r < m; r++) picture[r] = ("|" + "_|".repeat(n)).toCharArray();

        Deque<int[]> cells = new ArrayDeque<>();
        cells.addLast(start);
        visited[start[0]][start[1]] = true;
        while (!cells.isEmpty()) {
            int r = cells.peekLast()[0], c = cells.peekLast()[1];
            if (visited[r + 1][c] && visited[r - 1][c] && visited[r][c + 1] && visited[r][c - 1]) {
                cells.removeLast();
                continue;
            }
            String line = in.readLine();
            if (line.startsWith("F")) {
                int n2 = Integer.parseInt(line.substring(2).trim());
                Deque<int[]> turned = new ArrayDeque<>();
                for (int k = 0; k < n2 && !cells.isEmpty(); k++) turned.addLast(cells.removeLast());
                cells.addAll(turned);
                continue;
            }
            switch (line.charAt(0)) {
                case 'U' -> picture[m - ++r][2 * c - 1] = ' ';
                case 'D' -> picture[m - r--][2 * c - 1] = ' ';
                case 'L' -> picture[m - r][2 * --c] = ' ';
                default -> picture[m - r][2 * c++] = ' ';
            }
            visited[r][c] = true;
            cells.addLast(new int[] {r, c});
        }
        StringBuilder text = new StringBuilder(" _".repeat(n)).append('\n');
        for (char[] row : picture) text.append(row).append('\n');
        return text.append('\n').toString();
    }
}
