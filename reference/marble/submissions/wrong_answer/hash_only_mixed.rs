// Verdict: wrong answer. The squares are mixed into 64 bits by the steps of splitmix64, which
// is sound; but the set keeps the lower 32 of them only. Shown by edge/same-hash-again.
use std::collections::{HashSet, VecDeque};
use std::io::Read;

type Marbles = Vec<usize>;

struct Game {
    n: usize,
    holes: Marbles,
    walls: HashSet<(usize, usize)>,
}

fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn short(marbles: &[usize]) -> u32 {
    marbles.iter().fold(0, |h, &square| mix(h ^ square as u64)) as u32
}

impl Game {
    fn ahead(&self, s: usize, side: char) -> Option<usize> {
        let n = self.n;
        let to = match side {
            'E' if s % n > 0 => s - 1,
            'W' if s % n + 1 < n => s + 1,
            'S' if s >= n => s - n,
            'N' if s + n < n * n => s + n,
            _ => return None,
        };
        if self.walls.contains(&(s.min(to), s.max(to))) { None } else { Some(to) }
    }

    fn lift(&self, marbles: &[usize], side: char) -> Option<Marbles> {
        let mut after = marbles.to_vec();
        let mut waiting: Vec<usize> = (0..marbles.len()).filter(|&i| marbles[i] != self.holes[i]).collect();
        waiting.sort_by_key(|&i| marbles[i]);
        if side == 'N' || side == 'W' {
            waiting.reverse();
        }
        let mut stopped = HashSet::new();
        for i in waiting {
            while let Some(to) = self.ahead(after[i], side) {
                if stopped.contains(&to) {
                    break;
                }
                after[i] = to;
                match self.holes.iter().position(|&hole| hole == to) {
                    Some(owner) if owner == i => break,
                    Some(owner) if after[owner] != to => return None,
                    _ => (),
                }
            }
            if after[i] != self.holes[i] {
                stopped.insert(after[i]);
            }
        }
        Some(after)
    }

    fn solve(&self, start: Marbles) -> Option<String> {
        let mut met = HashSet::from([short(&start)]);
        let mut queue = VecDeque::from([(start, String::new())]);
        while let Some((marbles, moves)) = queue.pop_front() {
            if marbles == self.holes {
                return Some(moves);
            }
            for side in "ENSW".chars() {
                if let Some(after) = self.lift(&marbles, side) {
                    if met.insert(short(&after)) {
                        queue.push_back((after, format!("{moves}{side}")));
                    }
                }
            }
        }
        None
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut input = text.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    let mut next = || input.next().unwrap();
    for number in 1.. {
        let (n, m, w) = (next(), next(), next());
        if n == 0 {
            break;
        }
        let mut squares = |count: usize| -> Marbles { (0..count).map(|_| next() * n + next()).collect() };
        let (start, holes) = (squares(m), squares(m));
        let walls = (0..w).map(|_| squares(2)).map(|s| (s[0].min(s[1]), s[0].max(s[1]))).collect();
        match (Game { n, holes, walls }).solve(start) {
            Some(moves) => println!("Case {number}: {} moves {moves}\n", moves.len()),
            None => println!("Case {number}: impossible\n"),
        }
    }
}
