// Verdict: run-time error. The last cell is an int, and remove(int) takes it for an index:
// IndexOutOfBoundsException. Shown by sample/statement.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;

public class CellList {
    static final int WIDTH = 100;

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int mazes = in.nextInt();
        while (mazes-- > 0) {
            int rows = in.nextInt();
            int columns = in.nextInt();
            Set<Integer> unvisited = new HashSet<>();
            for (int r = 1; r <= rows; r++) for (int c = 1; c <= columns; c++) unvisited.add(WIDTH * r + c);
            int start = WIDTH * in.nextInt() + in.nextInt();
            unvisited.remove(start);
            List<Integer> list = new ArrayList<>();
            list.add(start);
            Set<Integer> floors = new HashSet<>(), sides = new HashSet<>();
            while (!list.isEmpty()) {
                int cell = list.get(list.size() - 1);
                boolean alive = false;
                for (int d : new int[] {1, -1, WIDTH, -WIDTH}) alive |= unvisited.contains(cell + d);
                if (!alive) {
                    list.remove(cell);
                    continue;
                }
                String command = in.next();
                int to = cell;
                switch (command) {
                    case "U": to += WIDTH; floors.add(to); break;
                    case "D": floors.add(to); to -= WIDTH; break;
                    case "L": to -= 1; sides.add(to); break;
                    case "R": sides.add(to); to += 1; break;
                    default: Collections.reverse(list.subList(in.nextInt() - 1, list.size())); continue;
                }
                unvisited.remove(to);
                list.add(to);
            }
            StringBuilder picture = new StringBuilder();
            for (int c = 1; c <= columns; c++) picture.append(" _");
            for (int r = rows; r >= 1; r--) {
                picture.append("\n|");
                for (int c = 1; c <= columns; c++) {
                    picture.append(floors.contains(WIDTH * r + c) ? " " : "_");
                    picture.append(sides.contains(WIDTH * r + c) ? " " : "|");
                }
            }
            System.out.println(picture + "\n");
        }
    }
}
