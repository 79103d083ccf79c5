// Verdict: time limit exceeded. A lift is played step by step: the first marble that can
// roll moves by one square, and the search for a marble begins again. On a large board
// that looks at some ten thousand squares for a lift.

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

public class Main {
    private static final int[] ROW = {0, 1, -1, 0};
    private static final int[] COLUMN = {-1, 0, 0, 1};

    private final int size;
    private final int marbles;
    private final boolean[][][] wall;
    private final short[][] holes; // number of the hole on a square, or 0
    private final String start; // one character for each square of a marble, 0xFFFF in its hole

    public static void main(String[] arguments) {
        Scanner scanner = new Scanner(System.in);
        int number = 0;
        while (true) {
            int size = scanner.nextInt();
            int marbles = scanner.nextInt();
            int walls = scanner.nextInt();
            if (size == 0) {
                break;
            }
            number++;
            String moves = new Main(size, marbles, walls, scanner).solve();
            if (moves == null) {
                System.out.println("Case " + number + ": impossible\n");
            } else {
                System.out.println("Case " + number + ": " + moves.length() + " moves " + moves + "\n");
            }
        }
    }

    private Main(int size, int marbles, int walls, Scanner scanner) {
        this.size = size;
        this.marbles = marbles;
        holes = new short[size][size];
        wall = new boolean[4][size][size];
        StringBuilder places = new StringBuilder();
        for (int i = 0; i < marbles; i++) {
            places.append((char) (scanner.nextInt() * size + scanner.nextInt()));
        }
        start = places.toString();
        for (int i = 1; i <= marbles; i++) {
            holes[scanner.nextInt()][scanner.nextInt()] = (short) i;
        }
        for (int i = 0; i < size; i++) {
            wall[0][i][0] = wall[1][size - 1][i] = wall[2][0][i] = wall[3][i][size - 1] = true;
        }
        for (int i = 0; i < walls; i++) {
            int row = scanner.nextInt();
            int column = scanner.nextInt();
            int otherRow = scanner.nextInt();
            int otherColumn = scanner.nextInt();
            for (int side = 0; side < 4; side++) {
                if (otherRow == row + ROW[side] && otherColumn == column + COLUMN[side]) {
                    wall[side][row][column] = true;
                    wall[3 - side][otherRow][otherColumn] = true;
                }
            }
        }
    }

    private String lift(String position, int side) {
        short[][] board = new short[size][size];
        boolean[] open = new boolean[marbles + 1];
        for (int i = 0; i < marbles; i++) {
            if (position.charAt(i) != 0xFFFF) {
                board[position.charAt(i) / size][position.charAt(i) % size] = (short) (i + 1);
                open[i + 1] = true;
            }
        }
        for (int square = 0; square < size * size; square++) {
            int row = square / size;
            int column = square % size;
            int marble = board[row][column];
            if (marble == 0 || wall[side][row][column]) {
                continue;
            }
            int toRow = row + ROW[side];
            int toColumn = column + COLUMN[side];
            if (board[toRow][toColumn] != 0) {
                continue; // it may go on later
            }
            int hole = holes[toRow][toColumn];
            board[row][column] = 0;
            if (hole == 0 || !open[hole]) {
                board[toRow][toColumn] = (short) marble;
            } else if (hole == marble) {
                open[hole] = false;
            } else {
                return null;
            }
            square = -1; // begin anew
        }
        char[] after = new char[marbles];
        Arrays.fill(after, (char) 0xFFFF);
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                if (board[row][column] != 0) {
                    after[board[row][column] - 1] = (char) (row * size + column);
                }
            }
        }
        return new String(after);
    }

    private String solve() {
        Map<String, Integer> number = new HashMap<>();
        List<Integer> from = new ArrayList<>();
        ArrayDeque<String> queue = new ArrayDeque<>();
        number.put(start, 0);
        from.add(-1);
        queue.add(start);
        while (!queue.isEmpty()) {
            String position = queue.remove();
            int id = number.get(position);
            if (position.chars().allMatch(c -> c == 0xFFFF)) {
                StringBuilder moves = new StringBuilder();
                for (int k = id; k > 0; k = from.get(k) / 4) {
                    moves.append("ENSW".charAt(from.get(k) % 4));
                }
                return moves.reverse().toString();
            }
            for (int side = 0; side < 4; side++) {
                String next = lift(position, side);
                if (next != null && !number.containsKey(next)) {
                    number.put(next, number.size());
                    from.add(4 * id + side);
                    queue.add(next);
                }
            }
        }
        return null;
    }
}
