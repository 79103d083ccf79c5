// Verdict: run-time error. After nextInt the rest of the last line is still to be read,
// and nextLine takes it, empty as it is, for the next name. Then numbers are expected
// where a name stands: InputMismatchException. Shown by sample/statement.
import java.util.*;

public class Main {
    static final Scanner IN = new Scanner(System.in);

    public static void main(String[] args) {
        String name = IN.nextLine();
        while (!"END".equals(name)) {
            System.out.println(name);
            new Main().maze();
            name = IN.nextLine();
        }
    }

    int[][] numbers;
    int homeRow, homeColumn;

    void maze() {
        int rows = IN.nextInt(), columns = IN.nextInt();
        homeRow = IN.nextInt();
        homeColumn = IN.nextInt();
        int top = IN.nextInt(), front = IN.nextInt();
        numbers = new int[rows + 2][columns + 2];
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++) numbers[r][c] = IN.nextInt();
        List<int[]> states = new ArrayList<>();
        states.add(new int[] {homeRow, homeColumn, top, front, right(top, front), -1});
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < states.size(); i++) {
            int[] s = states.get(i);
            int[][] next = {
                {s[0] - 1, s[1], s[3], 7 - s[2], s[4], i},
                {s[0] + 1, s[1], 7 - s[3], s[2], s[4], i},
                {s[0], s[1] - 1, s[4], s[3], 7 - s[2], i},
                {s[0], s[1] + 1, 7 - s[4], s[3], s[2], i}};
            for (int[] n : next) {
                int number = numbers[n[0]][n[1]];
                if (number != -1 && number != s[2]) continue;
                if (!seen.add(Arrays.toString(Arrays.copyOf(n, 4)))) continue;
                states.add(n);
                if (n[0] == homeRow && n[1] == homeColumn) {
                    Deque<String> walk = new ArrayDeque<>();
                    for (int k = states.size() - 1; k >= 0; k = states.get(k)[5])
                        walk.push("(" + states.get(k)[0] + "," + states.get(k)[1] + ")");
                    StringBuilder line = new StringBuilder("  ");
                    for (int k = 1; !walk.isEmpty(); k++) {
                        line.append(walk.pop());
                        if (!walk.isEmpty()) line.append(k % 9 == 0 ? ",\n  " : ",");
                    }
                    System.out.println(line);
                    return;
                }
            }
        }
        System.out.println("  No Solution Possible");
    }

    static int right(int top, int front) {
        int[][] ring = {{2, 3, 5, 4}, {1, 4, 6, 3}, {1, 2, 6, 5}};
        int[] around = ring[Math.min(top, 7 - top) - 1];
        for (int i = 0; i < 4; i++)
            if (around[i] == front) return top <= 3 ? around[(i + 1) % 4] : 7 - around[(i + 1) % 4];
        throw new AssertionError();
    }
}
