// Expected verdict: accepted.
//
// Breadth-first search, one thread. Positions lie in one large array of
// squares; a hash table holds their numbers. A roll goes stretch by stretch:
// all marbles of a line are collected, then stacked from the front.

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

public class Main {
    private static final String SIDES = "ENSW";
    private static final InputStream IN = new BufferedInputStream(System.in, 1 << 16);

    private final int n;
    private final int m;
    private final char[] start;
    private final char[] hole;
    private final int[] owner;
    private final boolean[][] blocked; // blocked[d][s]: nothing rolls on from s
    private final int[] step;

    private char[] positions = new char[1 << 12];
    private int[] parents = new int[1 << 10];
    private int count;
    private int[] table = new int[1 << 11];

    private final int[] marbleOn;
    private final char[] at;
    private final char[] next;

    public static void main(String[] args) throws IOException {
        StringBuilder out = new StringBuilder();
        for (int number = 1; ; number++) {
            int n = readInt();
            int m = readInt();
            int walls = readInt();
            if (n == 0) {
                break;
            }
            String moves = new Main(n, m, walls).search();
            out.append("Case ").append(number).append(": ");
            if (moves == null) {
                out.append("impossible");
            } else {
                out.append(moves.length()).append(" moves ").append(moves);
            }
            out.append("\n\n");
        }
        System.out.print(out);
    }

    private static int readInt() throws IOException {
        int c = IN.read();
        while (c == ' ' || c == '\n') {
            c = IN.read();
        }
        int value = 0;
        for (; c >= '0' && c <= '9'; c = IN.read()) {
            value = value * 10 + c - '0';
        }
        return value;
    }

    private Main(int n, int m, int walls) throws IOException {
        this.n = n;
        this.m = m;
        step = new int[] {-1, n, -n, 1};
        start = new char[m];
        hole = new char[m];
        at = new char[m];
        next = new char[m];
        marbleOn = new int[n * n];
        owner = new int[n * n];
        Arrays.fill(marbleOn, -1);
        Arrays.fill(owner, -1);
        for (int i = 0; i < m; i++) {
            start[i] = readSquare();
        }
        for (int i = 0; i < m; i++) {
            hole[i] = readSquare();
            owner[hole[i]] = i;
        }
        blocked = new boolean[4][n * n];
        for (int s = 0; s < n * n; s++) {
            blocked[0][s] = s % n == 0;
            blocked[1][s] = s / n == n - 1;
            blocked[2][s] = s / n == 0;
            blocked[3][s] = s % n == n - 1;
        }
        for (int i = 0; i < walls; i++) {
            int a = readSquare();
            int b = readSquare();
            for (int d = 0; d < 4; d++) {
                if (a + step[d] == b) {
                    blocked[d][a] = true;
                    blocked[3 - d][b] = true;
                }
            }
        }
    }

    private char readSquare() throws IOException {
        int row = readInt();
        return (char) (row * n + readInt());
    }

    private String search() {
        System.arraycopy(start, 0, next, 0, m);
        add(0);
        for (int p = 0; p < count; p++) {
            System.arraycopy(positions, p * m, at, 0, m);
            if (Arrays.equals(at, hole)) {
                StringBuilder moves = new StringBuilder();
                for (int q = p; q > 0; q = parents[q] >>> 2) {
                    moves.append(SIDES.charAt(parents[q] & 3));
                }
                return moves.reverse().toString();
            }
            for (int i = 0; i < m; i++) {
                if (at[i] != hole[i]) {
                    marbleOn[at[i]] = i;
                }
            }
            for (int d = 0; d < 4; d++) {
                if (roll(d)) {
                    add(p << 2 | d);
                }
            }
            for (int i = 0; i < m; i++) {
                marbleOn[at[i]] = -1;
            }
        }
        return null;
    }

    // Rolls at into next. A marble with none behind it in its stretch speaks
    // for the stretch: it finds the front, and then all are placed from there.
    private boolean roll(int d) {
        System.arraycopy(at, 0, next, 0, m);
        for (int i = 0; i < m; i++) {
            int front = at[i];
            if (front == hole[i]) {
                continue;
            }
            boolean first = true;
            while (!blocked[d][front]) {
                front += step[d];
                first &= marbleOn[front] < 0;
            }
            if (first && !place(d, front)) {
                return false;
            }
        }
        return true;
    }

    private boolean place(int d, int front) {
        int free = front;
        for (int s = front; ; s -= step[d]) {
            int i = marbleOn[s];
            if (i >= 0) {
                int goal = free;
                for (int h = s; h != front; ) {
                    h += step[d];
                    int o = owner[h];
                    if (o >= 0 && next[o] != hole[o]) {
                        if (o != i) {
                            return false;
                        }
                        goal = h;
                        break;
                    }
                }
                next[i] = (char) goal;
                if (goal != hole[i]) {
                    free -= step[d];
                }
            }
            if (blocked[3 - d][s]) {
                return true;
            }
        }
    }

    private void add(int parent) {
        int mask = table.length - 1;
        int place = hash(next, 0) & mask;
        for (; table[place] != 0; place = (place + 1) & mask) {
            int from = (table[place] - 1) * m;
            if (Arrays.equals(positions, from, from + m, next, 0, m)) {
                return;
            }
        }
        if ((count + 1) * m > positions.length) {
            positions = Arrays.copyOf(positions, Math.max(2 * positions.length, 2 * m));
        }
        if (count == parents.length) {
            parents = Arrays.copyOf(parents, 2 * count);
        }
        System.arraycopy(next, 0, positions, count * m, m);
        parents[count] = parent;
        table[place] = ++count;
        if (count * 2 > table.length) {
            grow();
        }
    }

    private void grow() {
        table = new int[2 * table.length];
        int mask = table.length - 1;
        for (int p = 0; p < count; p++) {
            int place = hash(positions, p * m) & mask;
            while (table[place] != 0) {
                place = (place + 1) & mask;
            }
            table[place] = p + 1;
        }
    }

    private int hash(char[] squares, int from) {
        long h = 1;
        for (int i = from; i < from + m; i++) {
            h = (h ^ squares[i]) * 0x9e3779b97f4a7c15L;
            h ^= h >>> 31;
        }
        return (int) (h >>> 20);
    }
}
