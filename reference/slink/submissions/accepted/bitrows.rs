// Verdict: accepted. Rows of cells are bits of a u32; the first row grows from left to
// right, and the rows below are filled as far as they follow from it.
use std::io::Read;

struct Puzzle {
    rows: usize,
    columns: usize,
    numbers: Vec<Vec<i32>>,
}

impl Puzzle {
    fn solve(&self) -> Vec<u32> {
        // A frame of cells that are outside: row 0, row rows + 1, bit 0, bit columns + 1.
        let mut cells = vec![0u32; self.rows + 2];
        assert!(self.extend(&mut cells, 1), "no solution");
        cells
    }

    fn extend(&self, cells: &mut Vec<u32>, column: usize) -> bool {
        if column > self.columns + self.rows {
            return self.is_one_loop(cells);
        }
        let choices: &[u32] = if column <= self.columns { &[0, 1] } else { &[0] };
        let saved = cells.clone();
        for &choice in choices {
            if column <= self.columns {
                cells[1] = saved[1] & !(1 << column) | choice << column;
            }
            if self.follow(cells, column) && self.extend(cells, column + 1) {
                return true;
            }
            cells.copy_from_slice(&saved);
        }
        false
    }

    /// Colours the cells that follow on one diagonal; false if a number cannot be met.
    fn follow(&self, cells: &mut [u32], column: usize) -> bool {
        let bit = |row: u32, j: usize| (row >> j & 1) as i32;
        for i in 1..=self.rows.min(column) {
            let j = column - i;
            if j > self.columns || j == 0 {
                continue;
            }
            let own = bit(cells[i], j);
            let seen = (own ^ bit(cells[i - 1], j)) + (own ^ bit(cells[i], j - 1)) + (own ^ bit(cells[i], j + 1));
            let rest = self.numbers[i - 1][j - 1] - seen;
            if !(0..=1).contains(&rest) {
                return false;
            }
            let below = (own ^ rest) as u32;
            if i == self.rows && below == 1 {
                return false;
            }
            cells[i + 1] = cells[i + 1] & !(1 << j) | below << j;
        }
        true
    }

    fn is_one_loop(&self, cells: &[u32]) -> bool {
        let full = (1u32 << (self.columns + 2)) - 1;
        let outside: Vec<u32> = cells.iter().map(|row| !row & full).collect();
        [cells, &outside].iter().all(|region| {
            let start = match region.iter().position(|&row| row != 0) {
                Some(start) => start,
                None => return false,
            };
            let mut reached = vec![0u32; region.len()];
            reached[start] = region[start] & region[start].wrapping_neg();
            loop {
                let before = reached.clone();
                for i in 0..region.len() {
                    let above = if i > 0 { reached[i - 1] } else { 0 };
                    let below = reached.get(i + 1).copied().unwrap_or(0);
                    let here = reached[i];
                    reached[i] = (here | here << 1 | here >> 1 | above | below) & region[i];
                }
                if reached == before {
                    return reached == **region;
                }
            }
        })
    }

    fn draw(&self, cells: &[u32], page: &mut String) {
        let is_in = |i: usize, j: usize| cells[i] >> j & 1 == 1;
        let frame = "#".repeat(4 * self.columns + 5);
        let margin = format!("#{}#", " ".repeat(4 * self.columns + 3));
        let mut lines = vec![frame.clone(), margin.clone()];
        for i in 0..=self.rows {
            let (mut flat, mut tall) = (String::from("# "), String::from("# "));
            for j in 0..=self.columns {
                let (nw, ne, sw, se) = (is_in(i, j), is_in(i, j + 1), is_in(i + 1, j), is_in(i + 1, j + 1));
                flat.push(match (nw == ne, sw == se, nw == sw) {
                    (true, true, true) => ' ',
                    (true, true, false) => '-',
                    (false, false, true) => '|',
                    _ => '+',
                });
                tall.push(if sw == se { ' ' } else { '|' });
                if j < self.columns {
                    flat.push_str(if ne == se { "   " } else { "---" });
                    if i < self.rows {
                        tall.push_str(&format!(" {} ", self.numbers[i][j]));
                    }
                }
            }
            lines.push(flat + " #");
            if i < self.rows {
                lines.push(tall + " #");
            }
        }
        lines.extend([margin, frame, String::new()]);
        page.push_str(&lines.join("\n"));
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let mut numbers = input.split_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let mut page = String::new();
    for count in 1.. {
        let (rows, columns) = (numbers.next().unwrap() as usize, numbers.next().unwrap() as usize);
        if rows == 0 {
            break;
        }
        let rows_of = (0..rows).map(|_| numbers.by_ref().take(columns).collect()).collect();
        let puzzle = Puzzle { rows, columns, numbers: rows_of };
        let cells = puzzle.solve();
        page += &format!("{count}\n");
        puzzle.draw(&cells, &mut page);
    }
    print!("{page}");
}
