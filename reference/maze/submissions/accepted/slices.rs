// Verdict: accepted. Cells as (row, column), the walls that are gone in two grids of bool,
// and a flip by reverse() of a slice.
use std::io::{self, BufWriter, Read, Write};

type Grid = Vec<Vec<bool>>;

struct Maze {
    visited: Grid,
    open_floor: Grid,
    open_side: Grid,
    list: Vec<(usize, usize)>,
}

impl Maze {
    fn new(rows: usize, columns: usize) -> Self {
        let grid = vec![vec![false; columns]; rows];
        Maze { visited: grid.clone(), open_floor: grid.clone(), open_side: grid, list: Vec::new() }
    }

    fn visit(&mut self, cell: (usize, usize)) {
        self.visited[cell.0][cell.1] = true;
        self.list.push(cell);
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        self.visited.get(row).and_then(|line| line.get(column)) == Some(&false)
    }

    fn is_dead(&self, (row, column): (usize, usize)) -> bool {
        // What is left of 0 wraps round to a huge number, and is no cell.
        ![
            (row + 1, column),
            (row.wrapping_sub(1), column),
            (row, column + 1),
            (row, column.wrapping_sub(1)),
        ]
        .iter()
        .any(|&(r, c)| self.is_free(r, c))
    }

    fn dig<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) {
        while let Some(&(row, column)) = self.list.last() {
            if self.is_dead((row, column)) {
                self.list.pop();
                continue;
            }
            match words.next().expect("a command") {
                "U" => {
                    self.open_floor[row + 1][column] = true;
                    self.visit((row + 1, column));
                }
                "D" => {
                    self.open_floor[row][column] = true;
                    self.visit((row - 1, column));
                }
                "L" => {
                    self.open_side[row][column - 1] = true;
                    self.visit((row, column - 1));
                }
                "R" => {
                    self.open_side[row][column] = true;
                    self.visit((row, column + 1));
                }
                _ => {
                    let position: usize = words.next().and_then(|w| w.parse().ok()).expect("a position");
                    self.list[position - 1..].reverse();
                }
            }
        }
    }
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut words = input.split_whitespace();
    let mut number = |words: &mut std::str::SplitWhitespace| words.next().unwrap().parse::<usize>().unwrap();
    for _ in 0..number(&mut words) {
        let (rows, columns) = (number(&mut words), number(&mut words));
        let mut maze = Maze::new(rows, columns);
        let start = (number(&mut words) - 1, number(&mut words) - 1);
        maze.visit(start);
        maze.dig(&mut words);
        writeln!(out, "{}", " _".repeat(columns))?;
        for row in (0..rows).rev() {
            write!(out, "|")?;
            for (floor, side) in maze.open_floor[row].iter().zip(&maze.open_side[row]) {
                write!(out, "{}{}", if *floor { ' ' } else { '_' }, if *side { ' ' } else { '|' })?;
            }
            writeln!(out)?;
        }
        writeln!(out)?;
    }
    out.flush()
}
