// verdict: CE
// why: an endless macro
// says: CPU time|memory limit|recursion limit|died|SIGSEGV

#![recursion_limit = "100000000"]
macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)* x) }; }
m!(x);
fn main() {}
