// Verdict: accepted. The least size of all the sets of centres whose moves lead to one
// colour, written as one chain of iterators.
use std::io::{self, Read};

fn flipped(pattern: &[Vec<u8>], centre: i32) -> u16 {
    let is_flipped = |cell: &i32| {
        let i = cell / 4 - centre / 4 + 1;
        let j = cell % 4 - centre % 4 + 1;
        (0..3).contains(&i) && (0..3).contains(&j) && pattern[i as usize][j as usize] == b'1'
    };
    (0..16).filter(is_flipped).map(|cell| 1u16 << cell).sum()
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let rows: Vec<Vec<u8>> = input.split_whitespace().map(|row| row.bytes().collect()).collect();
    let (board, pattern) = rows.split_at(4);

    let black = board
        .concat()
        .iter()
        .enumerate()
        .filter(|&(_, &chip)| chip == b'B')
        .fold(0u16, |chips, (cell, _)| chips | 1 << cell);
    let moves: Vec<u16> = (0..16).map(|centre| flipped(pattern, centre)).collect();

    let best = (0..=u16::MAX)
        .filter(|set| {
            let after = (0..16)
                .filter(|centre| set >> centre & 1 == 1)
                .fold(black, |chips, centre| chips ^ moves[centre]);
            after == 0 || after == u16::MAX
        })
        .map(u16::count_ones)
        .min();

    match best {
        Some(moves) => println!("{moves}"),
        None => println!("Impossible"),
    }
    Ok(())
}
