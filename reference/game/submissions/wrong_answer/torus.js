// Verdict: wrong answer. A pattern that hangs over the edge comes back in on the
// opposite side, which makes even the sample look possible.
"use strict";

const rows = require("fs").readFileSync(0, "utf8").split(/\s+/);
const board = rows.slice(0, 4).join("");
const pattern = rows.slice(4, 7);

const moves = [];
for (let row = 0; row < 4; row++) {
  for (let column = 0; column < 4; column++) {
    let flipped = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const cell = 4 * ((row + i + 3) % 4) + ((column + j + 3) % 4);
        if (pattern[i][j] === "1") flipped |= 1 << cell;
      }
    }
    moves.push(flipped);
  }
}

let level = [[...board].reduce((chips, chip, cell) => chips | (chip === "B") << cell, 0)];
const seen = new Set(level);
let answer = "Impossible";
for (let count = 0; level.length > 0; count++) {
  if (level.includes(0) || level.includes(0xffff)) {
    answer = count;
    break;
  }
  const next = [];
  for (const chips of level) {
    for (const move of moves) {
      if (!seen.has(chips ^ move)) {
        seen.add(chips ^ move);
        next.push(chips ^ move);
      }
    }
  }
  level = next;
}
console.log(String(answer));
