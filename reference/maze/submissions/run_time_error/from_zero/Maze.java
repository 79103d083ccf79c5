// Verdict: run-time error. The position of a flip is used as an index, which counts from
// 0. The moves that follow start from another cell, and one of them leads out of the
// grid. Shown by sample/statement.
import java.util.*;

public class Maze {
    private static final Map<Character, int[]> WAYS =
        Map.of('U', new int[] {1, 0}, 'D', new int[] {-1, 0}, 'L', new int[] {0, -1}, 'R', new int[] {0, 1});

    private final int rows, columns;
    private final boolean[][] visited, noFloor, noSide;
    private final List<int[]> list = new ArrayList<>();

    Maze(int rows, int columns, int row, int column) {
        this.rows = rows;
        this.columns = columns;
        visited = new boolean[rows + 1][columns + 1];
        noFloor = new boolean[rows + 1][columns + 1];
        noSide = new boolean[rows + 1][columns + 1];
        visit(new int[] {row, column});
    }

    private void visit(int[] cell) {
        visited[cell[0]][cell[1]] = true;
        list.add(cell);
    }

    private boolean isFree(int row, int column) {
        return row >= 1 && row <= rows && column >= 1 && column <= columns && !visited[row][column];
    }

    private boolean stuck(int[] cell) {
        for (int[] way : WAYS.values()) {
            if (isFree(cell[0] + way[0], cell[1] + way[1])) return false;
        }
        return true;
    }

    void dig(Scanner in) {
        while (!list.isEmpty()) {
            int[] last = list.get(list.size() - 1);
            if (stuck(last)) {
                list.remove(list.size() - 1);
                continue;
            }
            char command = in.next().charAt(0);
            if (command == 'F') {
                int position = in.nextInt();
                if (position < list.size()) Collections.reverse(list.subList(position, list.size()));
                continue;
            }
            int[] way = WAYS.get(command);
            int[] next = {last[0] + way[0], last[1] + way[1]};
            if (command == 'U') noFloor[next[0]][next[1]] = true;
            if (command == 'D') noFloor[last[0]][last[1]] = true;
            if (command == 'L') noSide[next[0]][next[1]] = true;
            if (command == 'R') noSide[last[0]][last[1]] = true;
            if (isFree(next[0], next[1])) visit(next);
        }
    }

    void print() {
        System.out.println(" _".repeat(columns));
        for (int row = rows; row > 0; row--) {
            System.out.print('|');
            for (int column = 1; column <= columns; column++) {
                System.out.print(noFloor[row][column] ? ' ' : '_');
                System.out.print(noSide[row][column] ? ' ' : '|');
            }
            System.out.println();
        }
        System.out.println();
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int left = in.nextInt(); left > 0; left--) {
            Maze maze = new Maze(in.nextInt(), in.nextInt(), in.nextInt(), in.nextInt());
            maze.dig(in);
            maze.print();
        }
    }
}
