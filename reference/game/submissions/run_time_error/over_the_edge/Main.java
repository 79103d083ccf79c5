// Verdict: run-time error. The pattern is laid on the board without a look at the edges:
// a press at the corner asks for row -1. Shown by sample/statement.
import java.util.HashSet;
import java.util.Scanner;
import java.util.Set;

public class Main {
    static Set<String> step(Set<String> boards, String[] pattern, Set<String> seen) {
        Set<String> next = new HashSet<>();
        for (String board : boards)
            for (int row = 0; row < 4; row++)
                for (int col = 0; col < 4; col++) {
                    char[][] chips = new char[4][];
                    for (int i = 0; i < 4; i++) chips[i] = board.substring(4 * i, 4 * i + 4).toCharArray();
                    for (int i = -1; i <= 1; i++)
                        for (int j = -1; j <= 1; j++)
                            if (pattern[i + 1].charAt(j + 1) == '1')
                                chips[row + i][col + j] = chips[row + i][col + j] == 'W' ? 'B' : 'W';
                    StringBuilder joined = new StringBuilder();
                    for (char[] line : chips) joined.append(line);
                    if (seen.add(joined.toString())) next.add(joined.toString());
                }
        return next;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in).useDelimiter("\\s+");
        String board = in.next() + in.next() + in.next() + in.next();
        String[] pattern = {in.next(), in.next(), in.next()};
        Set<String> level = Set.of(board), seen = new HashSet<>(level);
        for (int moves = 0; !level.isEmpty(); moves++) {
            if (level.contains("W".repeat(16)) || level.contains("B".repeat(16))) {
                System.out.println(moves);
                return;
            }
            level = step(level, pattern, seen);
        }
        System.out.println("Impossible");
    }
}
