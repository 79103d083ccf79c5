// verdict: CE
// why: a file of the host, included in the program
// says: couldn't read
// never: root:

static TEXT: &str = include_str!("/etc/passwd");
fn main() { print!("{}", TEXT); }
