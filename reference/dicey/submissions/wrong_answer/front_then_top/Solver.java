// Verdict: wrong answer. Of the last two numbers of the line the first is taken for the
// face in front and the second for the top. Shown by sample/statement.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Scanner;

public class Solver {
    enum Direction {
        UP(-1, 0), DOWN(1, 0), LEFT(0, -1), RIGHT(0, 1);

        final int dy, dx;

        Direction(int dy, int dx) {
            this.dy = dy;
            this.dx = dx;
        }
    }

    record Die(int top, int front, int right) {
        Die roll(Direction d) {
            return switch (d) {
                case UP -> new Die(front, 7 - top, right);
                case DOWN -> new Die(7 - front, top, right);
                case LEFT -> new Die(right, front, 7 - top);
                case RIGHT -> new Die(7 - right, front, top);
            };
        }

        static Die lying(int top, int front) {
            for (int right = 1; right <= 6; right++) {
                if (handed(top, front, right)) return new Die(top, front, right);
            }
            throw new IllegalArgumentException();
        }

        private static boolean handed(int a, int b, int c) {
            int inversions = 0, big = 0;
            int[] f = {a, b, c};
            for (int i = 0; i < 3; i++) {
                if (f[i] > 3) {
                    f[i] = 7 - f[i];
                    big++;
                }
            }
            if (f[0] + f[1] + f[2] != 6 || f[0] * f[1] * f[2] != 6) return false;
            for (int i = 0; i < 3; i++) for (int j = i; j < 3; j++) if (f[i] > f[j]) inversions++;
            return (big + inversions) % 2 == 0;
        }
    }

    record State(int y, int x, Die die) {}

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        StringBuilder out = new StringBuilder();
        for (String name = in.next(); !name.equals("END"); name = in.next()) {
            out.append(name).append('\n');
            int[][] maze = new int[in.nextInt()][in.nextInt()];
            int y = in.nextInt() - 1, x = in.nextInt() - 1;
            int front = in.nextInt();
            int top = in.nextInt();
            for (int[] row : maze) {
                for (int i = 0; i < row.length; i++) row[i] = in.nextInt();
            }
            write(out, walk(maze, new State(y, x, Die.lying(top, front))));
        }
        System.out.print(out);
    }

    static List<State> walk(int[][] maze, State start) {
        Map<State, State> parents = new HashMap<>();
        Queue<State> queue = new LinkedList<>(List.of(start));
        while (!queue.isEmpty()) {
            State s = queue.remove();
            for (Direction d : Direction.values()) {
                int y = s.y + d.dy, x = s.x + d.dx;
                if (y < 0 || x < 0 || y >= maze.length || x >= maze[0].length) continue;
                if (maze[y][x] != -1 && maze[y][x] != s.die.top) continue;
                State next = new State(y, x, s.die.roll(d));
                if (y == start.y && x == start.x) {
                    List<State> way = new ArrayList<>(List.of(next));
                    for (State w = s; w != null; w = w.equals(start) ? null : parents.get(w)) way.add(w);
                    Collections.reverse(way);
                    return way;
                }
                if (parents.putIfAbsent(next, s) == null) queue.add(next);
            }
        }
        return List.of();
    }

    static void write(StringBuilder out, List<State> way) {
        if (way.isEmpty()) out.append("  No Solution Possible");
        for (int i = 0; i < way.size(); i++) {
            if (i > 0) out.append(i % 9 == 0 ? ",\n" : ",");
            if (i % 9 == 0) out.append("  ");
            out.append('(').append(way.get(i).y + 1).append(',').append(way.get(i).x + 1).append(')');
        }
        out.append('\n');
    }
}
