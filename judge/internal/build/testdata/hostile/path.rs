// verdict: CE
// why: a module in another folder of the host
// says: couldn't read
// never: root:

#[path = "/etc/passwd"]
mod passwd;
fn main() {}
