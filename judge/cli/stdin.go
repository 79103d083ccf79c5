package cli

import (
	"context"
	"io"
	"path/filepath"
)

// Interruptible is a reader of a file that may block forever, such as a terminal. Its Read returns
// when ctx is cancelled.
type Interruptible struct {
	Ctx context.Context
	In  io.Reader
}

// Read reads from the file. When the context is cancelled, Read returns and leaves a blocked read
// behind, which has a buffer of its own.
func (p *Interruptible) Read(b []byte) (int, error) {
	if err := p.Ctx.Err(); err != nil {
		return 0, err
	}
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	size := len(b)
	go func() {
		text := make([]byte, size)
		n, err := p.In.Read(text)
		done <- read{text[:n], err}
	}()
	select {
	case r := <-done:
		return copy(b, r.text), r.err
	case <-p.Ctx.Done():
		return 0, p.Ctx.Err()
	}
}

// Cleaned is like filepath.Clean, but keeps an empty name, which must not become the working
// folder.
func Cleaned(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Clean(name)
}

// StdinName is the name of a submission on standard input.
const StdinName = "standard input"
