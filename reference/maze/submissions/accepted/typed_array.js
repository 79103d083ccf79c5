// Verdict: accepted. The list is a typed array, and a flip reverses a view of it.
const words = require("fs").readFileSync("/dev/stdin", "ascii").trim().split(/\s+/).values();
const word = () => words.next().value;
const number = () => parseInt(word(), 10);

class Maze {
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.width = columns + 2;
    this.free = new Uint8Array(this.width * (rows + 2));
    this.floor = this.free.slice();
    this.side = this.free.slice();
    for (let row = 1; row <= rows; row++) this.free.fill(1, this.at(row, 1), this.at(row, columns + 1));
    this.list = new Uint16Array(rows * columns);
    this.length = 0;
  }

  at(row, column) {
    return row * this.width + column;
  }

  visit(cell) {
    this.free[cell] = 0;
    this.list[this.length++] = cell;
  }

  dig() {
    const { free, floor, side, width, list } = this;
    while (this.length > 0) {
      const last = list[this.length - 1];
      if (!(free[last - 1] | free[last + 1] | free[last - width] | free[last + width])) {
        this.length--;
        continue;
      }
      switch (word()) {
        case "F":
          list.subarray(number() - 1, this.length).reverse();
          break;
        case "U":
          this.visit(last + width);
          floor[last + width] = 1;
          break;
        case "D":
          this.visit(last - width);
          floor[last] = 1;
          break;
        case "L":
          this.visit(last - 1);
          side[last - 1] = 1;
          break;
        case "R":
          this.visit(last + 1);
          side[last] = 1;
      }
    }
    return this;
  }

  toString() {
    const lines = [" _".repeat(this.columns)];
    for (let row = this.rows; row >= 1; row--) {
      let line = "|";
      for (let cell = this.at(row, 1); cell <= this.at(row, this.columns); cell++) {
        line += "_ "[this.floor[cell]] + "| "[this.side[cell]];
      }
      lines.push(line);
    }
    return lines.join("\n") + "\n\n";
  }
}

let text = "";
for (let left = number(); left > 0; left--) {
  const maze = new Maze(number(), number());
  maze.visit(maze.at(number(), number()));
  text += maze.dig();
}
process.stdout.write(text);
