// verdict: CE
// why: an endless source
// says: memory limit|CPU time

static TEXT: &[u8] = include_bytes!("/dev/zero");
fn main() { println!("{}", TEXT.len()); }
