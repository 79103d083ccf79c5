// Verdict: run_time_error.
//
// The maze stands in an array with room for eight rows and columns and a frame round them,
// as if no maze were larger than the statement's. The first maze with ten rows ends in an
// ArrayIndexOutOfBoundsException.

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;

public class Main {
    private static final int LARGEST = 8;
    private static final int[][] STEPS = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    /** Rolls a die given as top, front, right. */
    private static int[] rolled(int[] die, int direction) {
        int top = die[0];
        int front = die[1];
        int right = die[2];
        switch (direction) {
            case 0: return new int[] {front, 7 - top, right};
            case 1: return new int[] {7 - front, top, right};
            case 2: return new int[] {right, front, 7 - top};
            default: return new int[] {7 - right, front, top};
        }
    }

    private static int[] dieShowing(int top, int front) {
        List<int[]> dice = new ArrayList<>();
        dice.add(new int[] {1, 2, 3});
        for (int i = 0; ; i++) {
            int[] die = dice.get(i);
            if (die[0] == top && die[1] == front) {
                return die;
            }
            for (int direction = 0; direction < 4; direction++) {
                dice.add(rolled(die, direction));
            }
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (String name = in.next(); !name.equals("END"); name = in.next()) {
            int rows = in.nextInt();
            int cols = in.nextInt();
            int homeRow = in.nextInt();
            int homeCol = in.nextInt();
            int[] die = dieShowing(in.nextInt(), in.nextInt());
            int[][] needs = new int[LARGEST + 2][LARGEST + 2];
            for (int r = 1; r <= rows; r++) {
                for (int c = 1; c <= cols; c++) {
                    needs[r][c] = in.nextInt();
                }
            }
            System.out.println(name);
            List<String> walk = search(needs, homeRow, homeCol, die);
            if (walk.isEmpty()) {
                System.out.println("  No Solution Possible");
            }
            for (int i = 0; i < walk.size(); i += 9) {
                int end = Math.min(i + 9, walk.size());
                String comma = end < walk.size() ? "," : "";
                System.out.println("  " + String.join(",", walk.subList(i, end)) + comma);
            }
        }
    }

    private static List<String> search(int[][] needs, int homeRow, int homeCol, int[] die) {
        boolean[][][][] seen = new boolean[LARGEST + 2][LARGEST + 2][7][7];
        List<int[]> visits = new ArrayList<>(); // row, column, visit before
        List<int[]> dice = new ArrayList<>();
        visits.add(new int[] {homeRow, homeCol, -1});
        dice.add(die);
        for (int i = 0; i < visits.size(); i++) {
            for (int direction = 0; direction < 4; direction++) {
                int row = visits.get(i)[0] + STEPS[direction][0];
                int col = visits.get(i)[1] + STEPS[direction][1];
                if (needs[row][col] != -1 && needs[row][col] != dice.get(i)[0]) {
                    continue;
                }
                if (row == homeRow && col == homeCol) {
                    List<String> walk = new ArrayList<>();
                    walk.add("(" + row + "," + col + ")");
                    for (int j = i; j >= 0; j = visits.get(j)[2]) {
                        walk.add("(" + visits.get(j)[0] + "," + visits.get(j)[1] + ")");
                    }
                    Collections.reverse(walk);
                    return walk;
                }
                int[] after = rolled(dice.get(i), direction);
                if (!seen[row][col][after[0]][after[1]]) {
                    seen[row][col][after[0]][after[1]] = true;
                    visits.add(new int[] {row, col, i});
                    dice.add(after);
                }
            }
        }
        return List.of();
    }
}
