// Verdict: time limit exceeded. The cells are in a LinkedList, and get(i) and set(i) walk
// there from one of its ends: a flip costs the square of its length. The answers are
// right. Shown by large/bursts.
import java.io.*;
import java.util.*;

public class Main {
    static class Cell {
        boolean visited, floor = true, wall = true;
        final List<Cell> neighbours = new ArrayList<>();
        Cell up, down, left, right;

        boolean dead() {
            return neighbours.stream().allMatch(n -> n.visited);
        }
    }

    static void link(Cell[][] grid) {
        for (int r = 0; r < grid.length; r++)
            for (int c = 0; c < grid[r].length; c++) {
                Cell cell = grid[r][c];
                if (r > 0) cell.neighbours.add(cell.down = grid[r - 1][c]);
                if (r < grid.length - 1) cell.neighbours.add(cell.up = grid[r + 1][c]);
                if (c > 0) cell.neighbours.add(cell.left = grid[r][c - 1]);
                if (c < grid[r].length - 1) cell.neighbours.add(cell.right = grid[r][c + 1]);
            }
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        PrintWriter out = new PrintWriter(new BufferedOutputStream(System.out));
        in.nextToken();
        for (int mazes = (int) in.nval; mazes > 0; mazes--) {
            int[] head = new int[4];
            for (int i = 0; i < 4; i++) {
                in.nextToken();
                head[i] = (int) in.nval;
            }
            Cell[][] grid = new Cell[head[0]][head[1]];
            for (Cell[] row : grid) for (int i = 0; i < row.length; i++) row[i] = new Cell();
            link(grid);
            LinkedList<Cell> list = new LinkedList<>();
            list.add(grid[head[2] - 1][head[3] - 1]);
            list.getFirst().visited = true;
            while (!list.isEmpty()) {
                Cell last = list.getLast(), next;
                if (last.dead()) {
                    list.removeLast();
                    continue;
                }
                in.nextToken();
                if (in.sval.equals("F")) {
                    in.nextToken();
                    int i = (int) in.nval - 1, j = list.size() - 1;
                    while (i < j) {
                        Cell cell = list.get(i);
                        list.set(i++, list.get(j));
                        list.set(j--, cell);
                    }
                    continue;
                }
                switch (in.sval) {
                    case "U" -> (next = last.up).floor = false;
                    case "D" -> {
                        next = last.down;
                        last.floor = false;
                    }
                    case "L" -> (next = last.left).wall = false;
                    default -> {
                        next = last.right;
                        last.wall = false;
                    }
                }
                next.visited = true;
                list.addLast(next);
            }
            out.println(" _".repeat(head[1]));
            for (int r = head[0] - 1; r >= 0; r--) {
                out.print("|");
                for (Cell cell : grid[r]) out.print((cell.floor ? "_" : " ") + (cell.wall ? "|" : " "));
                out.println();
            }
            out.println();
        }
        out.flush();
    }
}
