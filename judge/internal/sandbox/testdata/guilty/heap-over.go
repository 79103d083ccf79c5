// verdict: MLE
// why: a Go heap exceeds the limit
// limits: cpu=10s
package main

func main() {
	var v [][]byte
	for range 512 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = byte(i)
		}
		v = append(v, b)
	}
	println("broke: 512 MiB", len(v))
}
