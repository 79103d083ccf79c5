// Verdict: wrong answer. Squares of eleven bits are shifted into a key, and shifts are made
// on 32 bits in JavaScript: of four marbles the first is lost. Shown by edge/wide-keys.
"use strict";
const input = require("fs").readFileSync(0, "ascii").split(/\s/).filter(Boolean).map(Number)[Symbol.iterator]();
const read = () => input.next().value;

class Board {
  constructor(n, m, w) {
    this.n = n;
    this.from = Array.from({ length: m }, () => this.square());
    this.holes = Array.from({ length: m }, () => this.square());
    this.owner = new Map(this.holes.map((hole, marble) => [hole, marble]));
    this.walls = new Set();
    while (w-- > 0) {
      const a = this.square();
      const b = this.square();
      this.walls.add(a * 4096 + b).add(b * 4096 + a);
    }
  }

  square() {
    return read() * this.n + read();
  }

  ahead(square, [dr, dc]) {
    const row = Math.floor(square / this.n) + dr;
    const column = (square % this.n) + dc;
    const to = row * this.n + column;
    if (row < 0 || column < 0 || row >= this.n || column >= this.n) return -1;
    return this.walls.has(square * 4096 + to) ? -1 : to;
  }

  lift(marbles, way) {
    const after = marbles.slice();
    const sign = way[0] + way[1];
    const order = marbles.map((_, i) => i).sort((a, b) => sign * (marbles[b] - marbles[a]));
    const rest = new Set();
    for (const i of order) {
      if (after[i] === this.holes[i]) continue;
      for (;;) {
        const to = this.ahead(after[i], way);
        if (to < 0 || rest.has(to)) {
          rest.add(after[i]);
          break;
        }
        after[i] = to;
        const owner = this.owner.get(to);
        if (owner === i) break;
        if (owner !== undefined && after[owner] !== to) return null;
      }
    }
    return after;
  }

  key(marbles) {
    return marbles.reduce((key, square) => (key << 11) | square, 0);
  }

  solve() {
    const ways = { E: [0, -1], N: [1, 0], S: [-1, 0], W: [0, 1] };
    const seen = new Set([this.key(this.from)]);
    let level = [{ marbles: this.from, moves: "" }];
    while (level.length > 0) {
      const next = [];
      for (const { marbles, moves } of level) {
        if (marbles.every((square, i) => square === this.holes[i])) return `${moves.length} moves ${moves}`;
        for (const side in ways) {
          const after = this.lift(marbles, ways[side]);
          if (after === null || seen.has(this.key(after))) continue;
          seen.add(this.key(after));
          next.push({ marbles: after, moves: moves + side });
        }
      }
      level = next;
    }
    return "impossible";
  }
}

for (let number = 1; ; number++) {
  const [n, m, w] = [read(), read(), read()];
  if (n === 0) break;
  console.log(`Case ${number}: ${new Board(n, m, w).solve()}\n`);
}
