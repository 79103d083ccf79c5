// Verdict: accepted. Levels of a breadth-first search as sets of bits: the boards of the
// next level are those of this one, moved by each press, without those seen before.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

class LevelSets {
    private static final int SIDE = 4;
    private static final int BOARDS = 1 << SIDE * SIDE;

    private final BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));

    public static void main(String[] args) {
        System.out.println(new LevelSets().answer());
    }

    private String line() {
        try {
            return reader.readLine().strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer() {
        int board = 0;
        for (int row = 0; row < SIDE; row++) {
            for (char chip : line().toCharArray()) {
                board = board * 2 + (chip == 'B' ? 1 : 0);
            }
        }
        String[] pattern = {line(), line(), line()};
        IntUnaryOperator[] moves = new IntUnaryOperator[SIDE * SIDE];
        for (int cell = 0; cell < moves.length; cell++) {
            int mask = maskAt(cell / SIDE, cell % SIDE, pattern);
            moves[cell] = b -> b ^ mask;
        }

        BitSet level = new BitSet(BOARDS);
        BitSet seen = new BitSet(BOARDS);
        level.set(board);
        for (int count = 0; !level.isEmpty(); count++) {
            if (level.get(0) || level.get(BOARDS - 1)) {
                return Integer.toString(count);
            }
            seen.or(level);
            BitSet next = new BitSet(BOARDS);
            for (int b = level.nextSetBit(0); b >= 0; b = level.nextSetBit(b + 1)) {
                for (IntUnaryOperator move : moves) {
                    next.set(move.applyAsInt(b));
                }
            }
            next.andNot(seen);
            level = next;
        }
        return "Impossible";
    }

    private static int maskAt(int row, int column, String[] pattern) {
        int mask = 0;
        for (int r = 0; r < SIDE; r++) {
            for (int c = 0; c < SIDE; c++) {
                int i = r - row + 1;
                int j = c - column + 1;
                boolean covered = i >= 0 && i < 3 && j >= 0 && j < 3;
                mask = mask * 2 + (covered && pattern[i].charAt(j) == '1' ? 1 : 0);
            }
        }
        return mask;
    }
}
