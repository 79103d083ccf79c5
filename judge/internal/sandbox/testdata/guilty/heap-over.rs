// verdict: MLE
// why: so it is in Rust
// limits: cpu=10s
fn main() {
    let mut v: Vec<u64> = Vec::new();
    for i in 0..64u64 << 20 {
        v.push(std::hint::black_box(i));
    }
    println!("broke: 512 MiB {}", v.len());
}
