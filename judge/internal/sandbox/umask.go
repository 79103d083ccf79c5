//go:build linux

package sandbox

import (
	"runtime"

	"github.com/criyle/go-sandbox/pkg/forkexec"
	"golang.org/x/sys/unix"
)

// umask is the usual one, with which every program starts. The judge's own may be strict or 0.
const umask = 0o022

// startMasked starts a program with this umask. It does so in a thread that does not share its umask
// with the rest of the judge, and that ends then. Where the kernel or a container manager refuses that,
// the program has the umask of the judge.
func startMasked(program *forkexec.Runner) (pid int, err error) {
	started := make(chan struct{})
	go func() {
		defer close(started)
		runtime.LockOSThread()
		if unix.Unshare(unix.CLONE_FS) == nil {
			unix.Umask(umask)
		}
		pid, err = program.Start()
	}()
	<-started
	return pid, err
}
