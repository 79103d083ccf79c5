// verdict: AC
// why: a build script is not run, for there is no package
// says: ok
// never: script-ran

fn main() { println!("ok"); }
