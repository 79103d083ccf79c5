// Verdict: accepted.
//
// Keeps, in a union-find structure with parity, which cells are known to lie on
// the same side of the loop and which on different sides; the margin is one more
// element. A number tells how many neighbours are on the other side of its cell.
// Deductions join elements until nothing new follows; then a relation is guessed
// on a copy of the structure. An edge belongs to the loop where two neighbours
// turn out to be on different sides.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StreamTokenizer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class Main {
    /** Elements with a parity relative to the root of their set. */
    static final class Sides {
        final int[] parent;
        final boolean[] differs; // from the parent

        Sides(int size) {
            parent = new int[size];
            Arrays.setAll(parent, k -> k);
            differs = new boolean[size];
        }

        Sides(Sides other) {
            parent = other.parent.clone();
            differs = other.differs.clone();
        }

        /** Makes the root the parent of element k, and returns it. */
        int root(int k) {
            int p = parent[k];
            if (p == k) {
                return k;
            }
            int r = root(p);
            if (p != r) {
                differs[k] ^= differs[p];
                parent[k] = r;
            }
            return r;
        }

        boolean related(int a, int b) {
            return root(a) == root(b);
        }

        /** For related elements: are they on different sides? */
        boolean different(int a, int b) {
            return differs[a] ^ differs[b];
        }

        void relate(int a, int b, boolean different) {
            int from = root(a);
            int to = root(b);
            differs[from] = differs[a] ^ differs[b] ^ different;
            parent[from] = to;
        }
    }

    final int rows;
    final int cols;
    final int[][] number;
    final int margin;
    final int[][] neighbours;

    Main(int rows, int cols) {
        this.rows = rows;
        this.cols = cols;
        number = new int[rows][cols];
        margin = rows * cols;
        neighbours = new int[margin][];
        for (int k = 0; k < margin; k++) {
            int i = k / cols;
            int j = k % cols;
            neighbours[k] = new int[] {element(i - 1, j), element(i, j - 1), element(i, j + 1), element(i + 1, j)};
        }
    }

    int element(int i, int j) {
        return i < 0 || i == rows || j < 0 || j == cols ? margin : i * cols + j;
    }

    Sides solve(Sides sides) {
        if (!deduce(sides)) {
            return null;
        }
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                int cell = element(i, j);
                for (int next : new int[] {element(i - 1, j), element(i, j - 1)}) {
                    if (sides.related(cell, next)) {
                        continue;
                    }
                    for (boolean guess : new boolean[] {true, false}) {
                        Sides copy = new Sides(sides);
                        copy.relate(cell, next, guess);
                        Sides found = solve(copy);
                        if (found != null) {
                            return found;
                        }
                    }
                    return null;
                }
            }
        }
        return isLoop(sides) ? sides : null;
    }

    /** Applies the numbers until nothing changes; false on a contradiction. */
    boolean deduce(Sides sides) {
        // Passing to and fro lets knowledge spread in either direction.
        boolean forward = true;
        int quiet = 0;
        while (quiet < 2) {
            quiet++;
            for (int k = 0; k < margin; k++) {
                switch (apply(sides, forward ? k : margin - 1 - k)) {
                    case WRONG:
                        return false;
                    case NEWS:
                        quiet = 0;
                        break;
                    default:
                        break;
                }
            }
            forward = !forward;
        }
        return true;
    }

    enum Effect { NONE, NEWS, WRONG }

    /** Relates a cell to its neighbours as far as its number decides. */
    Effect apply(Sides sides, int cell) {
        int different = 0;
        int unknown = 0;
        int root = sides.root(cell);
        for (int k : neighbours[cell]) {
            if (sides.root(k) != root) {
                unknown++;
            } else if (sides.different(cell, k)) {
                different++;
            }
        }
        int missing = number[cell / cols][cell % cols] - different;
        if (missing < 0 || missing > unknown) {
            return Effect.WRONG;
        }
        if (unknown == 0 || missing != 0 && missing != unknown) {
            return Effect.NONE;
        }
        for (int k : neighbours[cell]) {
            if (!sides.related(cell, k)) {
                sides.relate(cell, k, missing > 0);
            }
        }
        return Effect.NEWS;
    }

    boolean inside(Sides sides, int i, int j) {
        int cell = element(i, j);
        return sides.related(cell, margin) && sides.different(cell, margin);
    }

    /** Are the inside and the outside two pieces, one each? */
    boolean isLoop(Sides sides) {
        boolean[][] seen = new boolean[rows + 2][cols + 2];
        int reached = fill(sides, seen, -1, -1, false);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                if (inside(sides, i, j)) {
                    return reached + fill(sides, seen, i, j, true) == (rows + 2) * (cols + 2);
                }
            }
        }
        return false;
    }

    int fill(Sides sides, boolean[][] seen, int i, int j, boolean inside) {
        if (i < -1 || i > rows || j < -1 || j > cols || seen[i + 1][j + 1] || inside(sides, i, j) != inside) {
            return 0;
        }
        seen[i + 1][j + 1] = true;
        return 1 + fill(sides, seen, i - 1, j, inside) + fill(sides, seen, i, j - 1, inside)
                + fill(sides, seen, i, j + 1, inside) + fill(sides, seen, i + 1, j, inside);
    }

    void draw(Sides sides, StringBuilder out) {
        int width = 4 * cols + 5;
        int height = 2 * rows + 5;
        char[][] canvas = new char[height][width];
        for (int y = 0; y < height; y++) {
            Arrays.fill(canvas[y], y == 0 || y == height - 1 ? '#' : ' ');
            canvas[y][0] = '#';
            canvas[y][width - 1] = '#';
        }
        for (int i = 0; i <= rows; i++) {
            for (int j = 0; j <= cols; j++) {
                boolean northWest = inside(sides, i - 1, j - 1);
                boolean northEast = inside(sides, i - 1, j);
                boolean southWest = inside(sides, i, j - 1);
                boolean southEast = inside(sides, i, j);
                int y = 2 * i + 2;
                int x = 4 * j + 2;
                if (northEast != southEast) {
                    Arrays.fill(canvas[y], x + 1, x + 4, '-');
                }
                if (southWest != southEast) {
                    canvas[y + 1][x] = '|';
                }
                boolean up = northWest != northEast;
                boolean left = northWest != southWest;
                boolean down = southWest != southEast;
                if (up || left || down) {
                    canvas[y][x] = up && down ? '|' : up || down ? '+' : '-';
                }
                if (i < rows && j < cols) {
                    canvas[y + 1][x + 2] = (char) ('0' + number[i][j]);
                }
            }
        }
        for (char[] line : canvas) {
            out.append(line).append('\n');
        }
    }

    static int next(StreamTokenizer in) throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        StringBuilder out = new StringBuilder();
        for (int k = 1;; k++) {
            int rows = next(in);
            int cols = next(in);
            if (rows == 0) {
                break;
            }
            Main puzzle = new Main(rows, cols);
            for (int[] row : puzzle.number) {
                for (int j = 0; j < cols; j++) {
                    row[j] = next(in);
                }
            }
            Sides sides = puzzle.solve(new Sides(rows * cols + 1));
            out.append(k).append('\n');
            puzzle.draw(sides, out);
        }
        PrintStream stdout = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        stdout.append(out);
        stdout.flush();
    }
}
