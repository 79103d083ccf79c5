// verdict: CE
// why: an endless sequence of types
// says: instantiation cycle|CPU time|memory limit

package main

type T[A any] struct{ a A }

func f[A any](n int, a A) {
	if n > 0 {
		f(n-1, T[A]{a})
	}
}

func main() { f(3, 1) }
