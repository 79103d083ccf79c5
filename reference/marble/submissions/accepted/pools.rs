// Verdict: accepted. Breadth-first search; all positions are in one vector, one after the
// other, and a table of their indices finds those that are known. A marble rolls along a
// table of next squares. Lifting a side twice, or its opposite before any marble is home,
// leads nowhere new.
use std::io::{self, Read, Write};

type Square = u16;
const NONE: Square = Square::MAX;
const SIDES: &[u8; 4] = b"ENSW";

struct Board {
    holes: Vec<Square>,
    owner: Vec<Option<usize>>,
    next: [Vec<Square>; 4],
    occupied: Vec<bool>,
    order: Vec<usize>,
}

impl Board {
    fn read(n: usize, m: usize, w: usize, numbers: &mut impl Iterator<Item = usize>) -> (Board, Vec<Square>) {
        let mut square = || (numbers.next().unwrap() * n + numbers.next().unwrap()) as Square;
        let start: Vec<_> = (0..m).map(|_| square()).collect();
        let holes: Vec<_> = (0..m).map(|_| square()).collect();
        let mut owner = vec![None; n * n];
        for (marble, &hole) in holes.iter().enumerate() {
            owner[hole as usize] = Some(marble);
        }
        let table = |open: &dyn Fn(usize) -> bool, step: isize| -> Vec<Square> {
            (0..n * n).map(|s| if open(s) { (s as isize + step) as Square } else { NONE }).collect()
        };
        let across = n as isize;
        let mut next = [
            table(&|s| s % n > 0, -1),
            table(&|s| s / n < n - 1, across),
            table(&|s| s / n > 0, -across),
            table(&|s| s % n < n - 1, 1),
        ];
        for _ in 0..w {
            let (a, b) = (square(), square());
            for table in &mut next {
                for (from, to) in [(a, b), (b, a)] {
                    if table[from as usize] == to {
                        table[from as usize] = NONE;
                    }
                }
            }
        }
        (Board { holes, owner, next, occupied: vec![false; n * n], order: Vec::new() }, start)
    }

    /// Rolls the marbles; false if one drops into another's hole.
    fn lift(&mut self, marbles: &mut [Square], side: usize) -> bool {
        self.order.clear();
        self.order.extend((0..marbles.len()).filter(|&i| marbles[i] != self.holes[i]));
        self.order.sort_unstable_by_key(|&i| marbles[i]);
        if side % 2 == 1 {
            self.order.reverse();
        }
        let mut good = true;
        'marbles: for &i in &self.order {
            let mut here = marbles[i];
            loop {
                let to = self.next[side][here as usize];
                if to == NONE || self.occupied[to as usize] {
                    self.occupied[here as usize] = true;
                    break;
                }
                here = to;
                if let Some(owner) = self.owner[here as usize] {
                    if owner == i {
                        break;
                    }
                    if marbles[owner] != here {
                        good = false;
                        break 'marbles;
                    }
                }
            }
            marbles[i] = here;
        }
        for &i in &self.order {
            self.occupied[marbles[i] as usize] = false;
        }
        good
    }
}

struct Known {
    width: usize,
    squares: Vec<Square>,
    came: Vec<(u32, u8)>,
    table: Vec<u32>,
}

impl Known {
    fn new(width: usize) -> Self {
        Known { width, squares: Vec::new(), came: Vec::new(), table: vec![0; 1024] }
    }

    fn get(&self, i: usize) -> &[Square] {
        &self.squares[i * self.width..][..self.width]
    }

    fn slot(&self, marbles: &[Square]) -> usize {
        let hash = marbles.iter().fold(0u64, |h, &s| {
            let x = (h ^ u64::from(s)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            x ^ x >> 32
        });
        let mask = self.table.len() - 1;
        let mut k = hash as usize & mask;
        while self.table[k] != 0 && self.get(self.table[k] as usize - 1) != marbles {
            k = (k + 1) & mask;
        }
        k
    }

    fn add(&mut self, marbles: &[Square], from: usize, side: u8) {
        if self.came.len() * 2 >= self.table.len() {
            self.table = vec![0; self.table.len() * 2];
            for i in 0..self.came.len() {
                let k = self.slot(self.get(i));
                self.table[k] = i as u32 + 1;
            }
        }
        let k = self.slot(marbles);
        if self.table[k] == 0 {
            self.squares.extend_from_slice(marbles);
            self.came.push((from as u32, side));
            self.table[k] = self.came.len() as u32;
        }
    }

    fn moves(&self, mut i: usize) -> String {
        let mut letters = Vec::new();
        while i > 0 {
            letters.push(self.came[i].1);
            i = self.came[i].0 as usize;
        }
        letters.reverse();
        String::from_utf8(letters).unwrap()
    }
}

fn solve(board: &mut Board, start: &[Square]) -> Option<String> {
    let mut known = Known::new(start.len());
    known.add(start, 0, 0);
    let mut marbles = start.to_vec();
    let mut i = 0;
    while i < known.came.len() {
        if known.get(i) == board.holes {
            return Some(known.moves(i));
        }
        let none_home = known.get(i).iter().zip(&board.holes).all(|(square, hole)| square != hole);
        for side in 0..4 {
            let last = known.came[i].1;
            if i > 0 && (SIDES[side] == last || none_home && SIDES[3 - side] == last) {
                continue;
            }
            marbles.copy_from_slice(known.get(i));
            if board.lift(&mut marbles, side) {
                known.add(&marbles, i, SIDES[side]);
            }
        }
        i += 1;
    }
    None
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut numbers = input.split_ascii_whitespace().map(|word| word.parse::<usize>().unwrap());
    let mut out = io::BufWriter::new(io::stdout());
    for number in 1.. {
        let (n, m, w) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap());
        if n == 0 {
            break;
        }
        let (mut board, start) = Board::read(n, m, w, &mut numbers);
        match solve(&mut board, &start) {
            None => write!(out, "Case {number}: impossible\n\n")?,
            Some(moves) if moves.is_empty() => write!(out, "Case {number}: 0 moves\n\n")?,
            Some(moves) => write!(out, "Case {number}: {} moves {moves}\n\n", moves.len())?,
        }
    }
    out.flush()
}
