// verdict: AC
// why: nor does one in Go
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
