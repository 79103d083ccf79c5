# Verdict: accepted. The set of boards that can be reached doubles with each press that
# is independent of the others, so a list of all of them is kept in order; distance is
# an array of bytes over the boards.
import sys


def main(out=sys.stdout):
    tokens = sys.stdin.read().split()
    rows, pattern = tokens[:4], tokens[4:7]
    start = sum((rows[i][j] == "B") << 4 * i + j for i in range(4) for j in range(4))

    masks = set()
    for i in range(4):
        for j in range(4):
            mask = 0
            for a in range(3):
                for b in range(3):
                    y, x = i + a - 1, j + b - 1
                    if pattern[a][b] == "1" and y & ~3 == 0 and x & ~3 == 0:
                        mask |= 1 << 4 * y + x
            masks.add(mask)

    distance = bytearray(b"\xff") * 65536
    distance[start] = 0
    reached = [start]
    for mask in masks:
        doubles = []
        for board in reached:
            other = board ^ mask
            if distance[other] == 255:
                doubles.append(other)
                distance[other] = distance[board] + 1
            elif distance[other] > distance[board] + 1:
                distance[other] = distance[board] + 1
            elif distance[board] > distance[other] + 1:
                distance[board] = distance[other] + 1
        reached += doubles
    best = min(distance[0], distance[65535])
    print("Impossible" if best == 255 else best, file=out)


if __name__ == "__main__":
    main()
