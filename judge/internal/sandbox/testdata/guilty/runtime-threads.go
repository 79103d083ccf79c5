// verdict: AC
// why: an ordinary Go program with 64 threads meets no limit that a C program would not
// limits: cpu=10s, processes=256
package main

import (
	"os"
	"runtime"
	"sync"
)

func main() {
	var up, done sync.WaitGroup
	up.Add(64)
	for range 64 {
		done.Go(func() {
			runtime.LockOSThread()
			up.Done()
			up.Wait()
		})
	}
	done.Wait()
	os.Stdout.WriteString("held\n")
}
