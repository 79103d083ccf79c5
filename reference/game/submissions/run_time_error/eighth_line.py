"""Verdict: run-time error. Reads games until an empty line ends them; there is one game
and no such line, so that input() raises EOFError after the answer. Shown by
sample/statement."""

while True:
    first = input()
    if not first:
        break
    chips = first + input() + input() + input()
    digits = input() + input() + input()
    reach = {"".join("01"[chip == "B"] for chip in chips): 0}
    for middle in range(16):
        mask = ["0"] * 16
        for d in range(9):
            y, x = middle // 4 + d // 3 - 1, middle % 4 + d % 3 - 1
            if digits[d] == "1" and 0 <= y < 4 and 0 <= x < 4:
                mask[4 * y + x] = "1"
        mask = int("".join(mask), 2)
        for key in list(reach):
            other = format(int(key, 2) ^ mask, "016b")
            reach[other] = min(reach[key] + 1, reach.get(other, 100))
    answer = min(reach.get("0" * 16, 100), reach.get("1" * 16, 100))
    print(answer if answer < 100 else "Impossible")
