// verdict: AC
// why: a build script, which must not run because there is no package
// says: ok
// never: script-ran

fn main() { println!("ok"); }
