// verdict: CE
// why: the environment of the judge
// says: not defined

fn main() { println!("{}", env!("TRIBUNAL_SECRET")); }
