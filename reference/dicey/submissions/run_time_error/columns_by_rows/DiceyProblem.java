// Verdict: run-time error. The array of squares has as many rows as the maze has columns
// and the other way round; the first maze that is not a square ends in an
// ArrayIndexOutOfBoundsException. Shown by sample/statement.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.StringTokenizer;

class DiceyProblem {
    static final class Node {
        final int x, y, top, front, right;
        final Node parent;

        Node(int x, int y, int top, int front, int right, Node parent) {
            this.x = x;
            this.y = y;
            this.top = top;
            this.front = front;
            this.right = right;
            this.parent = parent;
        }

        Node step(int dx, int dy) {
            if (dy < 0) return new Node(x, y + dy, front, 7 - top, right, this);
            if (dy > 0) return new Node(x, y + dy, 7 - front, top, right, this);
            if (dx < 0) return new Node(x + dx, y, right, front, 7 - top, this);
            return new Node(x + dx, y, 7 - right, front, top, this);
        }
    }

    private final BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
    private StringTokenizer tokens = new StringTokenizer("");

    String next() throws IOException {
        while (!tokens.hasMoreTokens()) tokens = new StringTokenizer(reader.readLine());
        return tokens.nextToken();
    }

    int nextInt() throws IOException {
        return Integer.parseInt(next());
    }

    public static void main(String[] args) throws IOException {
        new DiceyProblem().run();
    }

    void run() throws IOException {
        try (PrintWriter writer = new PrintWriter(System.out)) {
            for (String name = next(); !name.equals("END"); name = next()) {
                writer.println(name);
                int rows = nextInt(), columns = nextInt(), y = nextInt() - 1, x = nextInt() - 1;
                int top = nextInt(), front = nextInt();
                int[][] square = new int[columns][rows];
                for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) square[i][j] = nextInt();
                Node end = search(square, rows, columns, new Node(x, y, top, front, side(top, front), null));
                StringBuilder text = new StringBuilder();
                int length = 0;
                for (Node n = end; n != null; n = n.parent) length++;
                for (Node n = end; n != null; n = n.parent) {
                    length--;
                    String lead = length == 0 ? "  " : length % 9 == 0 ? ",\n  " : ",";
                    text.insert(0, lead + "(" + (n.y + 1) + "," + (n.x + 1) + ")");
                }
                writer.println(end == null ? "  No Solution Possible" : text);
            }
        }
    }

    static int side(int top, int front) {
        // 1, 2, 3 and their cyclic shifts are right-handed; each opposite changes that
        int low = 0, t = top, f = front;
        if (t > 3) { t = 7 - t; low++; }
        if (f > 3) { f = 7 - f; low++; }
        if (f != t % 3 + 1) low++;
        int third = 6 - t - f;
        return low % 2 == 0 ? third : 7 - third;
    }

    static Node search(int[][] square, int rows, int columns, Node start) {
        boolean[][][][] met = new boolean[rows][columns][7][7];
        Deque<Node> queue = new ArrayDeque<>();
        queue.add(start);
        while (!queue.isEmpty()) {
            Node n = queue.poll();
            for (int[] d : new int[][] {{0, -1}, {0, 1}, {-1, 0}, {1, 0}}) {
                int y = n.y + d[1], x = n.x + d[0];
                if (y < 0 || y >= rows || x < 0 || x >= columns) continue;
                if (square[y][x] != -1 && square[y][x] != n.top) continue;
                Node to = n.step(d[0], d[1]);
                if (y == start.y && x == start.x) return to;
                if (!met[y][x][to.top][to.front]) {
                    met[y][x][to.top][to.front] = true;
                    queue.add(to);
                }
            }
        }
        return null;
    }
}
