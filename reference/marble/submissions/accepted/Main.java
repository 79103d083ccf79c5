// Expected verdict: accepted.
//
// Breadth-first search, one thread. A position is packed into longs, 11 bits a
// marble, and the longs lie in blocks, so that nothing is copied when there are
// more; a hash table holds the numbers of positions. A marble rolls by tables:
// where its stretch ends, and which hole comes first on the way.
//
// Two sides are lifted in most positions. The same side again changes nothing,
// and if no marble has dropped, the opposite side leads to where it would have
// led without the last lift.

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

public class Main {
    private static final String SIDES = "ENSW";
    private static final int BITS = 11;
    private static final int PER_LONG = 5;
    private static final int BLOCK = 1 << 14; // positions
    private static final InputStream IN = new BufferedInputStream(System.in, 1 << 16);

    private final int n;
    private final int m;
    private final int[] start;
    private final int[] hole;
    private final int[] owner; // of the hole on a square, or -1
    private final int[] step;
    private final boolean[][] blocked; // blocked[d][s]: nothing rolls on from s
    private final int[][] end; // where a roll from a square ends
    private final int[][] ahead; // the first hole on the way there, or -1

    private final int longs; // of a position
    private final long[] key;
    private long[][] keys = new long[1][];
    private int[][] parents = new int[1][]; // number, whether a marble dropped, side
    private int count;
    private int[] table = new int[1 << 11]; // number + 1

    private final int[] at;
    private final int[] order; // the marbles, by square
    private final int[] next;
    private final int[] rested; // how many marbles have come to rest at the end of a stretch
    private final int[] filled; // the roll that filled a hole
    private int rolls;

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
        int squares = n * n;
        longs = (m + PER_LONG - 1) / PER_LONG;
        key = new long[longs];
        step = new int[] {-1, n, -n, 1};
        start = new int[m];
        hole = new int[m];
        at = new int[m];
        order = new int[m];
        next = new int[m];
        owner = new int[squares];
        rested = new int[squares];
        filled = new int[squares];
        Arrays.fill(owner, -1);
        for (int i = 0; i < m; i++) {
            start[i] = readSquare();
            order[i] = i;
        }
        for (int i = 0; i < m; i++) {
            hole[i] = readSquare();
            owner[hole[i]] = i;
        }
        blocked = new boolean[4][squares];
        for (int s = 0; s < squares; s++) {
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
        end = new int[4][squares];
        ahead = new int[4][squares];
        for (int d = 0; d < 4; d++) {
            for (int k = 0; k < squares; k++) {
                int s = step[d] < 0 ? k : squares - 1 - k; // after the square in front of it
                int front = s + step[d];
                end[d][s] = blocked[d][s] ? s : end[d][front];
                ahead[d][s] = blocked[d][s] ? -1 : owner[front] >= 0 ? front : ahead[d][front];
            }
        }
    }

    private int readSquare() throws IOException {
        int row = readInt();
        return row * n + readInt();
    }

    private String search() {
        System.arraycopy(start, 0, next, 0, m);
        add(0);
        for (int p = 0; p < count; p++) {
            if (load(p)) {
                StringBuilder moves = new StringBuilder();
                for (int q = p; q > 0; q = parent(q) >>> 3) {
                    moves.append(SIDES.charAt(parent(q) & 3));
                }
                return moves.reverse().toString();
            }
            sort();
            int last = p == 0 ? -1 : parent(p) & 3;
            boolean settled = p > 0 && (parent(p) & 4) == 0;
            for (int d = 0; d < 4; d++) {
                if (d == last || settled && d == 3 - last) {
                    continue;
                }
                int dropped = roll(d);
                if (dropped >= 0) {
                    add(p << 3 | dropped << 2 | d);
                }
            }
        }
        return null;
    }

    private int parent(int p) {
        return parents[p / BLOCK][p % BLOCK];
    }

    // Unpacks a position into at, and reports whether all marbles are home.
    private boolean load(int p) {
        long[] block = keys[p / BLOCK];
        int from = p % BLOCK * longs;
        boolean home = true;
        for (int k = 0, i = 0; k < longs; k++) {
            long word = block[from + k];
            for (int last = Math.min(m, i + PER_LONG); i < last; i++) {
                at[i] = (int) word & (1 << BITS) - 1;
                home &= at[i] == hole[i];
                word >>>= BITS;
            }
        }
        return home;
    }

    // Marbles mostly stay in the order in which they were.
    private void sort() {
        for (int k = 1; k < m; k++) {
            int i = order[k];
            int j = k;
            for (; j > 0 && at[order[j - 1]] > at[i]; j--) {
                order[j] = order[j - 1];
            }
            order[j] = i;
        }
    }

    // Rolls at into next, the marbles in front first. Returns 1 if one dropped into its
    // hole, 0 if none did, and -1 if one was lost.
    private int roll(int d) {
        int dropped = 0;
        rolls++;
        for (int k = 0; k < m && dropped >= 0; k++) {
            int i = order[step[d] < 0 ? k : m - 1 - k];
            int s = at[i];
            if (s == hole[i]) {
                next[i] = s;
                continue;
            }
            int h = ahead[d][s];
            while (h >= 0 && (at[owner[h]] == h || filled[h] == rolls)) {
                h = ahead[d][h];
            }
            if (h < 0) {
                int stop = end[d][s];
                next[i] = stop - rested[stop]++ * step[d];
            } else if (owner[h] == i) {
                next[i] = h;
                filled[h] = rolls;
                dropped = 1;
            } else {
                dropped = -1;
            }
        }
        for (int s : at) {
            rested[end[d][s]] = 0;
        }
        return dropped;
    }

    private void add(int parent) {
        for (int k = 0, i = 0; k < longs; k++) {
            long word = 0;
            int first = i;
            for (int last = Math.min(m, i + PER_LONG); i < last; i++) {
                word |= (long) next[i] << (i - first) * BITS;
            }
            key[k] = word;
        }
        int mask = table.length - 1;
        int place = hash(key, 0) & mask;
        for (; table[place] != 0; place = (place + 1) & mask) {
            int p = table[place] - 1;
            int from = p % BLOCK * longs;
            if (Arrays.equals(keys[p / BLOCK], from, from + longs, key, 0, longs)) {
                return;
            }
        }
        int block = count / BLOCK;
        if (block == keys.length) {
            keys = Arrays.copyOf(keys, 2 * block);
            parents = Arrays.copyOf(parents, 2 * block);
        }
        if (keys[block] == null) {
            keys[block] = new long[BLOCK * longs];
            parents[block] = new int[BLOCK];
        }
        System.arraycopy(key, 0, keys[block], count % BLOCK * longs, longs);
        parents[block][count % BLOCK] = parent;
        table[place] = ++count;
        if (count > table.length / 3 * 2) {
            grow();
        }
    }

    private void grow() {
        int size = 2 * table.length;
        table = null; // so that it can go before the new one comes
        table = new int[size];
        for (int p = 0; p < count; p++) {
            int place = hash(keys[p / BLOCK], p % BLOCK * longs) & size - 1;
            while (table[place] != 0) {
                place = (place + 1) & size - 1;
            }
            table[place] = p + 1;
        }
    }

    private int hash(long[] words, int from) {
        long h = 0;
        for (int i = from; i < from + longs; i++) {
            h = (h ^ words[i]) * 0x9e3779b97f4a7c15L;
            h ^= h >>> 32;
        }
        return (int) h;
    }
}
