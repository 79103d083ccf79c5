// Verdict: wrong answer. Boards are kept as Integer and compared with ==, which
// compares objects; only numbers up to 127 are the same object each time. The black
// board is never recognised. Shown by edge/black-already.
import java.io.*;
import java.util.*;

class Game {
    static Integer white = 0;
    static Integer black = 65535;

    public static void main(String[] args) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        Integer board = 0;
        for (int y = 0; y < 4; y++) {
            String line = reader.readLine();
            for (int x = 0; x < 4; x++) if (line.charAt(x) == 'B') board += 1 << (y * 4 + x);
        }
        String pattern = reader.readLine() + reader.readLine() + reader.readLine();

        Map<Integer, Integer> moves = new HashMap<>();
        Queue<Integer> queue = new LinkedList<>();
        moves.put(board, 0);
        queue.offer(board);
        while (!queue.isEmpty()) {
            Integer now = queue.poll();
            if (now == white || now == black) {
                System.out.println(moves.get(now));
                return;
            }
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) {
                    Integer next = now;
                    for (int k = 0; k < 9; k++) {
                        int r = y + k / 3 - 1, c = x + k % 3 - 1;
                        if (pattern.charAt(k) == '1' && r >= 0 && c >= 0 && r < 4 && c < 4) next ^= 1 << (r * 4 + c);
                    }
                    if (moves.putIfAbsent(next, moves.get(now) + 1) == null) queue.offer(next);
                }
        }
        System.out.println("Impossible");
    }
}
