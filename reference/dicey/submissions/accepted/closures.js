// Verdict: accepted. Breadth-first over strings "row,column,top,front" in a Map from each
// state to the one before.
"use strict";

const lines = require("fs").readFileSync(0, "latin1").split("\n");
let next = 0;
const numbers = () => lines[next++].trim().split(/ +/).map(Number);

const rights = new Map();
(function learn(top, front, right) {
  const key = 10 * top + front;
  if (rights.has(key)) return;
  rights.set(key, right);
  learn(front, 7 - top, right);
  learn(right, front, 7 - top);
})(1, 2, 3);

function* rolls({ row, column, top, front }) {
  const right = rights.get(10 * top + front);
  yield { row: row - 1, column, top: front, front: 7 - top };
  yield { row: row + 1, column, top: 7 - front, front: top };
  yield { row, column: column - 1, top: right, front };
  yield { row, column: column + 1, top: 7 - right, front };
}

function solve(maze, start) {
  const cameFrom = new Map();
  const queue = [start];
  for (const state of queue) {
    for (const after of rolls(state)) {
      const number = maze[after.row - 1]?.[after.column - 1] ?? 0;
      if (number !== -1 && number !== state.top) continue;
      if (after.row === start.row && after.column === start.column) {
        const walk = [after];
        for (let s = state; s; s = cameFrom.get(s)) walk.push(s);
        return walk.reverse();
      }
      const key = ((after.row * 16 + after.column) * 8 + after.top) * 8 + after.front;
      if (cameFrom.has(key)) continue;
      cameFrom.set(key, true).set(after, state);
      queue.push(after);
    }
  }
  return [];
}

const out = [];
for (let name = lines[next++].trim(); name !== "END"; name = lines[next++].trim()) {
  const [rows, , row, column, top, front] = numbers();
  const maze = Array.from({ length: rows }, numbers);
  const places = solve(maze, { row, column, top, front }).map((s) => `(${s.row},${s.column})`);
  out.push(name, "\n");
  if (places.length === 0) out.push("  No Solution Possible\n");
  places.forEach((place, i) => {
    const last = i === places.length - 1;
    out.push(i % 9 === 0 ? "  " : "", place, last ? "\n" : i % 9 === 8 ? ",\n" : ",");
  });
}
process.stdout.write(out.join(""));
