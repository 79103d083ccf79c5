fn main() { panic!("script-ran"); }
