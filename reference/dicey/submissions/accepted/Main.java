// Verdict: accepted.
//
// A breadth-first search with immutable records as states; a visit remembers the
// visit before it, and the walk is collected into a deque from its end.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.StringTokenizer;

public class Main {
    enum Direction {
        UP(-1, 0), DOWN(1, 0), LEFT(0, -1), RIGHT(0, 1);

        final int rows, cols;

        Direction(int rows, int cols) {
            this.rows = rows;
            this.cols = cols;
        }
    }

    record Die(int top, int front, int right) {
        Die rolled(Direction direction) {
            return switch (direction) {
                case UP -> new Die(front, 7 - top, right);
                case DOWN -> new Die(7 - front, top, right);
                case LEFT -> new Die(right, front, 7 - top);
                case RIGHT -> new Die(7 - right, front, top);
            };
        }

        static Die showing(int top, int front) {
            Deque<Die> open = new ArrayDeque<>(Set.of(new Die(1, 2, 3)));
            while (true) {
                Die die = open.remove();
                if (die.top == top && die.front == front) {
                    return die;
                }
                for (Direction direction : Direction.values()) {
                    open.add(die.rolled(direction));
                }
            }
        }
    }

    record State(int row, int col, Die die) {}

    record Visit(State state, Visit before) {}

    private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));
    private static StringTokenizer line = new StringTokenizer("");

    private static String word() throws IOException {
        while (!line.hasMoreTokens()) {
            line = new StringTokenizer(IN.readLine());
        }
        return line.nextToken();
    }

    private static int number() throws IOException {
        return Integer.parseInt(word());
    }

    /** Returns the last visit of a shortest walk home, or null. */
    private static Visit search(int[][] needs, State start) {
        boolean[][][][] seen = new boolean[needs.length][needs[0].length][7][7];
        Deque<Visit> queue = new ArrayDeque<>();
        queue.add(new Visit(start, null));
        while (!queue.isEmpty()) {
            Visit visit = queue.remove();
            State from = visit.state;
            for (Direction direction : Direction.values()) {
                int row = from.row + direction.rows;
                int col = from.col + direction.cols;
                int need = needs[row][col];
                if (need != -1 && need != from.die.top) {
                    continue;
                }
                State to = new State(row, col, from.die.rolled(direction));
                if (row == start.row && col == start.col) {
                    return new Visit(to, visit);
                }
                boolean[] known = seen[row][col][to.die.top];
                if (!known[to.die.front]) {
                    known[to.die.front] = true;
                    queue.add(new Visit(to, visit));
                }
            }
        }
        return null;
    }

    public static void main(String[] args) throws IOException {
        StringBuilder out = new StringBuilder();
        for (String name = word(); !name.equals("END"); name = word()) {
            int rows = number();
            int cols = number();
            int row = number();
            int col = number();
            Die die = Die.showing(number(), number());
            int[][] needs = new int[rows + 2][cols + 2];
            for (int r = 1; r <= rows; r++) {
                for (int c = 1; c <= cols; c++) {
                    needs[r][c] = number();
                }
            }
            out.append(name).append('\n');
            Visit last = search(needs, new State(row, col, die));
            if (last == null) {
                out.append("  No Solution Possible\n");
                continue;
            }
            Deque<State> walk = new ArrayDeque<>();
            for (Visit visit = last; visit != null; visit = visit.before) {
                walk.addFirst(visit.state);
            }
            int count = 0;
            for (State state : walk) {
                out.append(count == 0 ? "  " : count % 9 == 0 ? ",\n  " : ",");
                out.append('(').append(state.row).append(',').append(state.col).append(')');
                count++;
            }
            out.append('\n');
        }
        System.out.print(out);
    }
}
