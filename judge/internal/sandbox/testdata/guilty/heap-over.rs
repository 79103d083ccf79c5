// verdict: MLE
// why: a vector in Rust that grows past the limit is stopped by the kernel
// limits: cpu=10s
fn main() {
    let mut v: Vec<u64> = Vec::new();
    for i in 0..64u64 << 20 {
        v.push(i);
    }
    println!("broke: 512 MiB {}", v[v.len() / 3]);
}
