// Verdict: wrong answer. The pattern is read as one binary number, whose lowest bit is
// its last digit, and used with bit 0 as the upper left one: it is turned by half a
// turn. Shown by edge/above.
import java.util.ArrayDeque;
import java.util.Scanner;

public class Rotated {
    public static void main(String[] unused) {
        var in = new Scanner(System.in);
        var text = new StringBuilder();
        for (int i = 0; i < 4; i++) text.append(in.next());
        int board = Integer.parseInt(text.toString().replace('W', '0').replace('B', '1'), 2);
        int pattern = Integer.parseInt(in.next() + in.next() + in.next(), 2);

        int[] steps = new int[1 << 16];
        var queue = new ArrayDeque<Integer>();
        steps[board] = 1;
        queue.add(board);
        String answer = "Impossible";
        while (!queue.isEmpty()) {
            int b = queue.remove();
            if (b == 0 || b == 0xffff) {
                answer = "" + (steps[b] - 1);
                break;
            }
            for (int cell = 0; cell < 16; cell++) {
                int next = b;
                for (int bit = 0; bit < 9; bit++) {
                    if ((pattern >> bit & 1) == 0) continue;
                    int row = cell / 4 + bit / 3 - 1;
                    int col = cell % 4 + bit % 3 - 1;
                    if (row < 0 || row > 3 || col < 0 || col > 3) continue;
                    next ^= 1 << 15 - 4 * row - col;
                }
                if (steps[next] == 0) {
                    steps[next] = steps[b] + 1;
                    queue.add(next);
                }
            }
        }
        System.out.println(answer);
    }
}
