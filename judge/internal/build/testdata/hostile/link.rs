// verdict: CE
// why: a library by its path on the host
// says: could not find|cannot find|can't find|unable to find
// never: root:

#[link(name = "/etc/passwd", kind = "static")]
extern "C" { fn f(); }
fn main() { unsafe { f() } }
