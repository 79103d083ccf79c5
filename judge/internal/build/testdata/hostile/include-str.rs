// verdict: CE
// why: a file of the host in the program
// says: couldn't read
// never: root:

static TEXT: &str = include_str!("/etc/passwd");
fn main() { print!("{}", TEXT); }
