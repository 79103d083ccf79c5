// verdict: CE
// why: a source without end
// says: memory limit|CPU time

static TEXT: &[u8] = include_bytes!("/dev/zero");
fn main() { println!("{}", TEXT.len()); }
