// Verdict: accepted. Gauss and Jordan on the sixteen equations, one for each chip:
// the moves that reach it add up to 1 where it has to be flipped. Then all values
// of the free unknowns are tried, of which there are few unless the pattern is
// nearly empty.
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Scanner;
import java.util.stream.IntStream;

public class Main {
    private static final int CELLS = 16;

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        StringBuilder board = new StringBuilder();
        for (int row = 0; row < 4; row++) {
            board.append(in.next());
        }
        String[] pattern = {in.next(), in.next(), in.next()};

        OptionalInt best = IntStream.of('W', 'B')
                .flatMap(colour -> new Main(board, pattern, (char) colour).solutions())
                .map(Integer::bitCount)
                .min();
        System.out.println(best.isPresent() ? String.valueOf(best.getAsInt()) : "Impossible");
    }

    /** Bits 0 to 15 of an equation are the unknowns, one for each centre; bit 16 is the right side. */
    private final int[] equations = new int[CELLS];

    /** The equation that was solved for an unknown, or -1 for a free one. */
    private final int[] solvedBy = new int[CELLS];

    private final int rank;

    /** States that all chips end up in the given colour, and solves it. */
    private Main(CharSequence board, String[] pattern, char goal) {
        for (int cell = 0; cell < CELLS; cell++) {
            for (int centre = 0; centre < CELLS; centre++) {
                int i = cell / 4 - centre / 4 + 1;
                int j = cell % 4 - centre % 4 + 1;
                if (0 <= i && i < 3 && 0 <= j && j < 3 && pattern[i].charAt(j) == '1') {
                    equations[cell] |= 1 << centre;
                }
            }
            if (board.charAt(cell) != goal) {
                equations[cell] |= 1 << CELLS;
            }
        }
        int solved = 0;
        for (int unknown = 0; unknown < CELLS; unknown++) {
            solvedBy[unknown] = -1;
            int pivot = solved;
            while (pivot < CELLS && !has(equations[pivot], unknown)) {
                pivot++;
            }
            if (pivot == CELLS) {
                continue;
            }
            int equation = equations[pivot];
            equations[pivot] = equations[solved];
            equations[solved] = equation;
            for (int other = 0; other < CELLS; other++) {
                if (other != solved && has(equations[other], unknown)) {
                    equations[other] ^= equation;
                }
            }
            solvedBy[unknown] = solved++;
        }
        rank = solved;
    }

    private static boolean has(int equation, int unknown) {
        return (equation >> unknown & 1) == 1;
    }

    private IntStream solutions() {
        for (int i = rank; i < CELLS; i++) {
            if (equations[i] != 0) {
                return IntStream.empty();
            }
        }
        List<Integer> free = new ArrayList<>();
        for (int unknown = 0; unknown < CELLS; unknown++) {
            if (solvedBy[unknown] < 0) {
                free.add(unknown);
            }
        }
        return IntStream.range(0, 1 << free.size()).map(choice -> solution(free, choice));
    }

    private int solution(List<Integer> free, int choice) {
        int values = 1 << CELLS;
        for (int k = 0; k < free.size(); k++) {
            if (has(choice, k)) {
                values |= 1 << free.get(k);
            }
        }
        int centres = values ^ 1 << CELLS;
        for (int unknown = 0; unknown < CELLS; unknown++) {
            if (solvedBy[unknown] >= 0 && Integer.bitCount(equations[solvedBy[unknown]] & values) % 2 == 1) {
                centres |= 1 << unknown;
            }
        }
        return centres;
    }
}
