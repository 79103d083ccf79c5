// Verdict: presentation error.
// Joins the underscores of the first line with blanks and so loses the blank
// before the first of them.
'use strict';

const words = require('fs').readFileSync(0, 'latin1').split(/\s+/);
let at = 0;
const number = () => Number(words[at++]);

const out = [];
for (let mazes = number(); mazes > 0; mazes--) {
  const rows = number(), columns = number();
  const start = { row: number(), column: number() };
  const grid = [];
  for (let row = 1; row <= rows; row++) {
    grid[row] = [];
    for (let column = 1; column <= columns; column++) {
      grid[row][column] = { row, column, visited: false, floor: '_', side: '|' };
    }
  }
  const cellAt = (row, column) => grid[row] && grid[row][column];
  const beside = {
    U: (c) => cellAt(c.row + 1, c.column),
    D: (c) => cellAt(c.row - 1, c.column),
    L: (c) => cellAt(c.row, c.column - 1),
    R: (c) => cellAt(c.row, c.column + 1),
  };

  const list = [cellAt(start.row, start.column)];
  list[0].visited = true;
  while (list.length > 0) {
    const here = list[list.length - 1];
    const alive = Object.values(beside).some((step) => {
      const cell = step(here);
      return cell && !cell.visited;
    });
    if (!alive) {
      list.pop();
      continue;
    }
    const command = words[at++];
    if (command === 'F') {
      list.push(...list.splice(number() - 1).reverse());
      continue;
    }
    const next = beside[command](here);
    if (command === 'U') next.floor = ' ';
    if (command === 'D') here.floor = ' ';
    if (command === 'L') next.side = ' ';
    if (command === 'R') here.side = ' ';
    next.visited = true;
    list.push(next);
  }

  out.push(Array(columns).fill('_').join(' '));
  for (let row = rows; row >= 1; row--) {
    out.push('|' + grid[row].slice(1).map((c) => c.floor + c.side).join(''));
  }
  out.push('');
}
process.stdout.write(out.map((line) => line + '\n').join(''));
