// Verdict: accepted. Generators: colour() yields all colourings that agree with the
// numbers, and the first whose two regions are each in one piece is the solution.
"use strict";

const numbers = require("fs").readFileSync(0, "utf8").split(/\s+/).map(Number);
let position = 0;

function* colour(puzzle, cells, diagonal) {
  const { r, c, clue } = puzzle;
  if (diagonal === r + c) {
    yield cells;
    return;
  }
  const w = c + 2;
  for (let choice = 0; choice < (diagonal < c ? 2 : 1); choice++) {
    if (diagonal < c) cells[w + diagonal + 1] = choice;
    let possible = true;
    for (let i = Math.max(1, diagonal - c + 1); possible && i <= Math.min(r, diagonal); i++) {
      const at = i * w + diagonal - i + 1;
      const own = cells[at];
      const rest = clue[at] - (own ^ cells[at - w]) - (own ^ cells[at - 1]) - (own ^ cells[at + 1]);
      possible = (rest === 0 || rest === 1) && !(i === r && own ^ rest);
      if (possible) cells[at + w] = own ^ rest;
    }
    if (possible) yield* colour(puzzle, cells, diagonal + 1);
  }
}

function inTwoPieces({ r, c }, cells) {
  const w = c + 2;
  const seen = new Uint8Array(cells.length);
  const pieces = [0, 0];
  for (let first = 0; first < cells.length; first++) {
    if (seen[first]) continue;
    if (++pieces[cells[first]] > 1) return false;
    const stack = [first];
    seen[first] = 1;
    while (stack.length) {
      const at = stack.pop();
      const next = [at - w, at + w];
      if (at % w > 0) next.push(at - 1);
      if (at % w < w - 1) next.push(at + 1);
      for (const to of next) {
        if (to < 0 || to >= cells.length || seen[to] || cells[to] !== cells[at]) continue;
        seen[to] = 1;
        stack.push(to);
      }
    }
  }
  return pieces[1] === 1;
}

function draw({ r, c, clue }, cells) {
  const w = c + 2;
  const rule = "#".repeat(4 * c + 5);
  const margin = "#" + " ".repeat(4 * c + 3) + "#";
  const lines = [rule, margin];
  for (let i = 0; i <= r; i++) {
    let flat = "# ";
    let tall = "# ";
    for (let j = 0; j <= c; j++) {
      const at = i * w + j;
      const [a, b, d, e] = [cells[at], cells[at + 1], cells[at + w], cells[at + w + 1]];
      flat += a === b && d === e ? (a === d ? " " : "-") : a === d && b === e ? "|" : "+";
      tall += d === e ? " " : "|";
      if (j === c) continue;
      flat += b === e ? "   " : "---";
      tall += ` ${clue[at + w + 1]} `;
    }
    lines.push(flat + " #");
    if (i < r) lines.push(tall + " #");
  }
  lines.push(margin, rule);
  return lines;
}

const output = [];
for (let number = 1; ; number++) {
  const [r, c] = numbers.slice(position, position + 2);
  position += 2;
  if (!r) break;
  const puzzle = { r, c, clue: new Uint8Array((r + 2) * (c + 2)) };
  for (let i = 1; i <= r; i++) for (let j = 1; j <= c; j++) puzzle.clue[i * (c + 2) + j] = numbers[position++];
  for (const cells of colour(puzzle, new Uint8Array((r + 2) * (c + 2)), 0)) {
    if (!inTwoPieces(puzzle, cells)) continue;
    output.push(number, ...draw(puzzle, cells));
    break;
  }
}
if (output.length) console.log(output.join("\n"));
