// Expected verdict: wrong_answer.
//
// Remembers the hash of each position, as Arrays.hashCode makes it, in a set of numbers. A
// position with one marble one square further and the next marble 31 squares back has the
// same hash.

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Scanner;

public class Main {
    record Node(int[] at, Node before, char side) {}

    static int n;
    static int[] hole;
    static boolean[][] closed; // closed[side][square]: nothing rolls on from there

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int number = 1; ; number++) {
            n = in.nextInt();
            int m = in.nextInt(), walls = in.nextInt();
            if (n == 0) return;
            int[] start = squares(in, m);
            hole = squares(in, m);
            closed = new boolean[4][n * n];
            for (int s = 0; s < n * n; s++) {
                closed[0][s] = s % n == 0;
                closed[1][s] = s / n == n - 1;
                closed[2][s] = s / n == 0;
                closed[3][s] = s % n == n - 1;
            }
            for (; walls > 0; walls--) {
                int[] w = squares(in, 2);
                int low = Math.min(w[0], w[1]), high = Math.max(w[0], w[1]);
                closed[high - low == 1 ? 3 : 1][low] = true;
                closed[high - low == 1 ? 0 : 2][high] = true;
            }
            System.out.print("Case " + number + ": " + solve(start) + "\n\n");
        }
    }

    static int[] squares(Scanner in, int count) {
        int[] list = new int[count];
        for (int i = 0; i < count; i++) list[i] = in.nextInt() * n + in.nextInt();
        return list;
    }

    static String solve(int[] start) {
        HashSet<Integer> known = new HashSet<>();
        ArrayDeque<Node> queue = new ArrayDeque<>();
        known.add(Arrays.hashCode(start));
        queue.add(new Node(start, null, ' '));
        while (!queue.isEmpty()) {
            Node node = queue.remove();
            if (Arrays.equals(node.at, hole)) return way(node);
            for (int side = 0; side < 4; side++) {
                int[] next = roll(node.at, side);
                if (next != null && known.add(Arrays.hashCode(next))) queue.add(new Node(next, node, "ENSW".charAt(side)));
            }
        }
        return "impossible";
    }

    static String way(Node last) {
        StringBuilder moves = new StringBuilder();
        for (Node node = last; node.before != null; node = node.before) moves.append(node.side);
        String count = moves.length() + " moves";
        return moves.isEmpty() ? count : count + " " + moves.reverse();
    }

    // Every marble goes one square at a time, until none can any more.
    static int[] roll(int[] from, int side) {
        int[] at = from.clone();
        int step = new int[] {-1, n, -n, 1}[side];
        for (boolean moved = true; moved; ) {
            moved = false;
            for (int i = 0; i < at.length; i++) {
                int to = at[i] + step;
                if (at[i] == hole[i] || closed[side][at[i]] || resting(at, to)) continue;
                at[i] = to;
                moved = true;
                for (int j = 0; j < at.length; j++) {
                    if (j != i && hole[j] == to && at[j] != to) return null;
                }
            }
        }
        return at;
    }

    static boolean resting(int[] at, int square) {
        for (int i = 0; i < at.length; i++) {
            if (at[i] == square && at[i] != hole[i]) return true;
        }
        return false;
    }
}
