// Verdict: accepted. A depth-first search with an explicit stack that never removes marks:
// because a maze has at most one solution, the first way home is it.
use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::io::Read;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Die {
    top: i8,
    front: i8,
    right: i8,
}

impl Die {
    fn rolls(self) -> [((i8, i8), Die); 4] {
        let Die { top, front, right } = self;
        [
            ((0, 1), Die { top: 7 - right, front, right: top }),
            ((1, 0), Die { top: 7 - front, front: top, right }),
            ((0, -1), Die { top: right, front, right: 7 - top }),
            ((-1, 0), Die { top: front, front: 7 - top, right }),
        ]
    }

    fn lying(top: i8, front: i8) -> Option<Die> {
        let mut met = HashSet::from([Die { top: 1, front: 2, right: 3 }]);
        loop {
            if let Some(&die) = met.iter().find(|d| d.top == top && d.front == front) {
                return Some(die);
            }
            let more: Vec<_> = met.iter().flat_map(|d| d.rolls()).map(|(_, d)| d).collect();
            let before = met.len();
            met.extend(more);
            if met.len() == before {
                return None;
            }
        }
    }
}

struct Maze {
    squares: Vec<Vec<i8>>,
    home: (i8, i8),
}

impl Maze {
    fn number(&self, (row, column): (i8, i8)) -> i8 {
        let inside = |i: i8| usize::try_from(i - 1).ok();
        inside(row)
            .and_then(|r| self.squares.get(r))
            .zip(inside(column))
            .and_then(|(line, c)| line.get(c).copied())
            .unwrap_or(0)
    }

    fn walk(&self, die: Die) -> Option<Vec<(i8, i8)>> {
        let mut met = HashSet::new();
        // Each entry: where the die is, how it lies, and which rolls are still to be tried.
        let mut path = vec![(self.home, die, 0)];
        while let Some((at, die, tried)) = path.last_mut() {
            let ((dr, dc), after) = match die.rolls().get(*tried) {
                Some(&roll) => roll,
                None => {
                    path.pop();
                    continue;
                }
            };
            *tried += 1;
            let to = (at.0 + dr, at.1 + dc);
            let number = self.number(to);
            if number != -1 && number != die.top {
                continue;
            }
            if to == self.home {
                let mut walk: Vec<_> = path.iter().map(|p| p.0).collect();
                walk.push(to);
                return Some(walk);
            }
            if met.insert((to, after)) {
                path.push((to, after, 0));
            }
        }
        None
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let mut words = input.split_ascii_whitespace();
    let mut output = String::new();
    while let Some(name) = words.next().filter(|&name| name != "END") {
        let mut number = || words.next().ok_or("the input ends early")?.parse::<i8>().map_err(Box::<dyn Error>::from);
        let (rows, columns) = (number()?, number()?);
        let home = (number()?, number()?);
        let die = Die::lying(number()?, number()?).ok_or("no such die")?;
        let squares = (0..rows).map(|_| (0..columns).map(|_| number()).collect()).collect::<Result<_, _>>()?;
        writeln!(output, "{name}")?;
        match (Maze { squares, home }).walk(die) {
            None => output.push_str("  No Solution Possible\n"),
            Some(walk) => {
                let words: Vec<_> = walk.iter().map(|(r, c)| format!("({r},{c})")).collect();
                let lines: Vec<_> = words.chunks(9).map(|line| format!("  {}", line.join(","))).collect();
                writeln!(output, "{}", lines.join(",\n"))?;
            }
        }
    }
    print!("{output}");
    Ok(())
}
