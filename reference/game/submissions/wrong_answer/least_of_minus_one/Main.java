// Verdict: wrong answer. -1 stands for a colour that cannot be reached, and the lesser
// of both numbers is taken: one colour out of reach makes the game impossible. Shown by
// edge/zero-pattern-done.
import java.util.Arrays;
import java.util.Scanner;

public class Main {
    private final int[] flips = new int[16];

    private int fewest(int difference) {
        int best = -1;
        for (int set = 0; set < 1 << 16; set++) {
            int n = Integer.bitCount(set);
            if (best >= 0 && n >= best) continue;
            int sum = 0;
            for (int s = set; s != 0; s &= s - 1) sum ^= flips[Integer.numberOfTrailingZeros(s)];
            if (sum == difference) best = n;
        }
        return best;
    }

    private void run() {
        Scanner scanner = new Scanner(System.in);
        int blacks = 0;
        for (int i = 0; i < 4; i++) {
            char[] row = scanner.nextLine().toCharArray();
            for (int j = 0; j < 4; j++) blacks |= row[j] == 'B' ? 1 << 4 * i + j : 0;
        }
        boolean[][] turned = new boolean[3][3];
        for (boolean[] t : turned) {
            char[] row = scanner.nextLine().toCharArray();
            for (int j = 0; j < 3; j++) t[j] = row[j] == '1';
        }
        Arrays.setAll(flips, k -> {
            int f = 0;
            for (int i = Math.max(0, k / 4 - 1); i <= Math.min(3, k / 4 + 1); i++)
                for (int j = Math.max(0, k % 4 - 1); j <= Math.min(3, k % 4 + 1); j++)
                    if (turned[i - k / 4 + 1][j - k % 4 + 1]) f |= 1 << 4 * i + j;
            return f;
        });
        int answer = Math.min(fewest(blacks), fewest(blacks ^ 0xFFFF));
        System.out.println(answer < 0 ? "Impossible" : String.valueOf(answer));
    }

    public static void main(String[] args) {
        new Main().run();
    }
}
