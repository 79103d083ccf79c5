// verdict: CE
// why: a constant whose evaluation does not end
// says: CPU time|memory limit|evaluat|step limit

const X: u64 = { let mut i = 0u64; while i != u64::MAX { i += 1; } i };
fn main() { println!("{}", X); }
