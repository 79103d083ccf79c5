// Verdict: accepted.
// Plain arrays and a swap loop; the cells are objects that know their own walls.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;

public class Main {
    private static final class Cell {
        final Cell[] beside = new Cell[4]; // above, below, to the left, to the right
        boolean visited;
        boolean floor = true;
        boolean side = true;

        boolean dead() {
            for (Cell cell : beside) {
                if (cell != null && !cell.visited) {
                    return false;
                }
            }
            return true;
        }
    }

    private final StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
    private final StringBuilder out = new StringBuilder();

    public static void main(String[] args) throws IOException {
        new Main().run();
    }

    private int number() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }

    private void run() throws IOException {
        for (int mazes = number(); mazes > 0; mazes--) {
            int rows = number();
            int columns = number();
            Cell[][] grid = grid(rows, columns);
            int row = number();
            int column = number();
            carve(grid[row - 1][column - 1], rows * columns);
            draw(grid);
        }
        System.out.print(out);
    }

    private static Cell[][] grid(int rows, int columns) {
        Cell[][] grid = new Cell[rows][columns];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                Cell cell = grid[r][c] = new Cell();
                if (r > 0) {
                    cell.beside[1] = grid[r - 1][c];
                    grid[r - 1][c].beside[0] = cell;
                }
                if (c > 0) {
                    cell.beside[2] = grid[r][c - 1];
                    grid[r][c - 1].beside[3] = cell;
                }
            }
        }
        return grid;
    }

    private void carve(Cell start, int cells) throws IOException {
        Cell[] list = new Cell[cells];
        int length = 0;
        list[length++] = start;
        start.visited = true;
        while (length > 0) {
            Cell here = list[length - 1];
            if (here.dead()) {
                length--;
                continue;
            }
            in.nextToken();
            char command = in.sval.charAt(0);
            if (command == 'F') {
                for (int i = number() - 1, j = length - 1; i < j; i++, j--) {
                    Cell cell = list[i];
                    list[i] = list[j];
                    list[j] = cell;
                }
                continue;
            }
            Cell next = here.beside["UDLR".indexOf(command)];
            switch (command) {
                case 'U' -> next.floor = false;
                case 'D' -> here.floor = false;
                case 'L' -> next.side = false;
                default -> here.side = false;
            }
            next.visited = true;
            list[length++] = next;
        }
    }

    private void draw(Cell[][] grid) {
        out.append(" _".repeat(grid[0].length)).append('\n');
        for (int r = grid.length - 1; r >= 0; r--) {
            out.append('|');
            for (Cell cell : grid[r]) {
                out.append(cell.floor ? '_' : ' ').append(cell.side ? '|' : ' ');
            }
            out.append('\n');
        }
        out.append('\n');
    }
}
