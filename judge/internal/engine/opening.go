package engine

import (
	"runtime"

	"tribunal/judge/internal/sandbox"
)

// Opening is a sandbox that opens in the background. To open it takes longer than to read a problem
// and submissions, which needs no sandbox.
type Opening struct {
	done chan struct{} // closed when host and err are set
	host *sandbox.Host // nil once it has been taken
	err  error
}

// OpenSandbox begins to open a sandbox. The caller calls Close, on every way out.
func OpenSandbox(mode sandbox.Mode) *Opening {
	o := &Opening{done: make(chan struct{})}
	go func() {
		defer close(o.done)
		o.host, o.err = sandbox.Open(mode)
	}()
	runtime.Gosched() // it begins at once; another thread continues with the command
	return o
}

// Take waits for the sandbox and hands it to the caller, who closes it. It is called once.
func (o *Opening) Take() (*sandbox.Host, error) {
	<-o.done
	host := o.host
	o.host = nil
	return host, o.err
}

// Close waits for the sandbox, and closes it unless it has been taken. It does not report that a
// sandbox which was not needed could not be opened.
func (o *Opening) Close() error {
	<-o.done
	if o.host == nil {
		return nil
	}
	host := o.host
	o.host = nil
	return host.Close()
}
