// Verdict: wrong answer. The answers are kept in a map by name and printed in the end; of
// two mazes of the same name only one is left. Shown by edge/same-name.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.*;

public class Main {
    static int[][] tips = new int[24][4];
    static List<String> dice = new ArrayList<>(List.of("123"));

    // a die is written as its top, front and right
    static {
        for (int i = 0; i < dice.size(); i++) {
            char t = dice.get(i).charAt(0), f = dice.get(i).charAt(1), r = dice.get(i).charAt(2);
            String[] after = {"" + f + o(t) + r, "" + o(f) + t + r, "" + r + f + o(t), "" + o(r) + f + t};
            for (int d = 0; d < 4; d++) {
                if (!dice.contains(after[d])) dice.add(after[d]);
                tips[i][d] = dice.indexOf(after[d]);
            }
        }
    }

    static char o(char face) {
        return (char) ('7' - face + '0');
    }

    static int die(String top, String front) {
        for (String d : dice) if (d.startsWith(top + front)) return dice.indexOf(d);
        return -1;
    }

    static String solve(int[][] m, int sr, int sc, int start) {
        int C = m[0].length;
        int[] parent = new int[m.length * C * 24];
        Arrays.fill(parent, -2);
        ArrayDeque<Integer> q = new ArrayDeque<>();
        int first = (sr * C + sc) * 24 + start;
        q.add(first);
        while (!q.isEmpty()) {
            int s = q.poll(), r = s / 24 / C, c = s / 24 % C;
            for (int d = 0; d < 4; d++) {
                int y = r + new int[] {-1, 1, 0, 0}[d], x = c + new int[] {0, 0, -1, 1}[d];
                if (y < 0 || x < 0 || y == m.length || x == C) continue;
                if (m[y][x] >= 0 && m[y][x] != dice.get(s % 24).charAt(0) - '0') continue;
                if (y == sr && x == sc) {
                    LinkedList<String> way = new LinkedList<>();
                    way.add("(" + (sr + 1) + "," + (sc + 1) + ")");
                    for (; s != first; s = parent[s]) way.addFirst("(" + (s / 24 / C + 1) + "," + (s / 24 % C + 1) + ")");
                    way.addFirst(way.getLast());
                    return String.join(",", way);
                }
                int n = (y * C + x) * 24 + tips[s % 24][d];
                if (parent[n] == -2) {
                    parent[n] = s;
                    q.add(n);
                }
            }
        }
        return null;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Map<String, String> answers = new LinkedHashMap<>();
        String name;
        while (!(name = in.readLine()).equals("END")) {
            String[] h = in.readLine().split(" ");
            int[][] m = new int[Integer.parseInt(h[0])][];
            for (int i = 0; i < m.length; i++)
                m[i] = Arrays.stream(in.readLine().split(" ")).mapToInt(Integer::parseInt).toArray();
            answers.put(name, solve(m, Integer.parseInt(h[2]) - 1, Integer.parseInt(h[3]) - 1, die(h[4], h[5])));
        }
        for (String key : answers.keySet()) {
            System.out.println(key);
            String way = answers.get(key);
            if (way == null) {
                System.out.println("  No Solution Possible");
                continue;
            }
            String[] positions = way.split("(?<=\\)),");
            for (int i = 0; i < positions.length; i += 9) {
                int to = Math.min(i + 9, positions.length);
                System.out.println("  " + String.join(",", Arrays.copyOfRange(positions, i, to)) + (to < positions.length ? "," : ""));
            }
        }
    }
}
