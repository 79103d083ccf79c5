// verdict: CE
// why: a module that lies elsewhere on the host
// says: couldn't read
// never: root:

#[path = "/etc/passwd"]
mod passwd;
fn main() {}
