// Verdict: wrong answer. Instead of the text of a position its hashCode() is put into the set
// of what has been met, and another text may have the same. Shown by edge/same-hash-again.
import java.util.*;
import java.util.stream.*;

class Place {
    final int row, column;

    Place(int row, int column) {
        this.row = row;
        this.column = column;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Place && ((Place) other).row == row && ((Place) other).column == column;
    }

    @Override
    public int hashCode() {
        return 64 * row + column;
    }

    @Override
    public String toString() {
        return row + "," + column + " ";
    }
}

enum Side {
    E(0, -1), N(1, 0), S(-1, 0), W(0, 1);

    final int down, right;

    Side(int down, int right) {
        this.down = down;
        this.right = right;
    }

    Place from(Place p) {
        return new Place(p.row + down, p.column + right);
    }
}

class Position {
    final List<Place> marbles;
    final Position previous;
    final Side lifted;

    Position(List<Place> marbles, Position previous, Side lifted) {
        this.marbles = marbles;
        this.previous = previous;
        this.lifted = lifted;
    }

    String text() {
        return marbles.stream().map(Place::toString).collect(Collectors.joining());
    }

    String way() {
        return previous == null ? "" : previous.way() + lifted;
    }
}

public class Main {
    private final int n;
    private final List<Place> start, holes;
    private final Set<List<Place>> walls = new HashSet<>();

    Main(int n, int m, int w, Scanner in) {
        this.n = n;
        start = places(m, in);
        holes = places(m, in);
        for (int i = 0; i < w; i++) {
            List<Place> wall = places(2, in);
            walls.add(wall);
            walls.add(Arrays.asList(wall.get(1), wall.get(0)));
        }
    }

    private static List<Place> places(int count, Scanner in) {
        List<Place> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(new Place(in.nextInt(), in.nextInt()));
        }
        return list;
    }

    private boolean open(Place from, Place to) {
        return Math.min(to.row, to.column) >= 0 && Math.max(to.row, to.column) < n
            && !walls.contains(Arrays.asList(from, to));
    }

    private Optional<List<Place>> lift(List<Place> before, Side side) {
        List<Place> after = new ArrayList<>(before);
        Integer[] order = IntStream.range(0, before.size())
            .filter(i -> !before.get(i).equals(holes.get(i))).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt(
            i -> -side.down * before.get(i).row - side.right * before.get(i).column));
        Set<Place> atRest = new HashSet<>();
        for (int i : order) {
            Place here = before.get(i);
            for (;;) {
                Place next = side.from(here);
                if (!open(here, next) || atRest.contains(next)) {
                    atRest.add(here);
                    break;
                }
                here = next;
                int owner = holes.indexOf(here);
                if (owner == i) {
                    break;
                }
                if (owner >= 0 && !after.get(owner).equals(here)) {
                    return Optional.empty();
                }
            }
            after.set(i, here);
        }
        return Optional.of(after);
    }

    private String solve() {
        Set<Integer> met = new HashSet<>();
        Deque<Position> queue = new ArrayDeque<>();
        queue.add(new Position(start, null, null));
        met.add(queue.peek().text().hashCode());
        while (!queue.isEmpty()) {
            Position position = queue.remove();
            if (position.marbles.equals(holes)) {
                String way = position.way();
                return way.length() + " moves " + way;
            }
            for (Side side : Side.values()) {
                lift(position.marbles, side).map(marbles -> new Position(marbles, position, side))
                    .filter(p -> met.add(p.text().hashCode())).ifPresent(queue::add);
            }
        }
        return "impossible";
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (int number = 1; ; number++) {
            int n = in.nextInt(), m = in.nextInt(), w = in.nextInt();
            if (n == 0) {
                break;
            }
            System.out.printf("Case %d: %s%n%n", number, new Main(n, m, w, in).solve());
        }
    }
}
