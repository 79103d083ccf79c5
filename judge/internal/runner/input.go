package runner

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// inMemory is up to what size an input is copied into memory, where programs can
// read it at once. Larger ones come through a pipe.
const inMemory = 64 * limits.MiB

// input is the standard input of one run.
type input struct {
	file *os.File   // in memory
	pipe *os.File   // or else the end that is written to
	fed  chan error // how writing there ended
}

// openInput makes data the standard input of a command.
func openInput(cmd *sandbox.Command, data content.Content) (*input, error) {
	if limits.Bytes(data.Size()) <= inMemory {
		file, err := sandbox.MemCopy(data.Reader())
		cmd.Stdin = file
		return &input{file: file}, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	cmd.In = read
	in := &input{pipe: write, fed: make(chan error, 1)}
	go func() {
		_, err := io.Copy(write, data.Reader())
		write.Close()
		in.fed <- err
	}()
	return in, nil
}

// close ends what has to do with the input when the run has ended. The error is that
// the program may not have got all that it wanted to read.
func (in *input) close() error {
	if in.file != nil {
		return in.file.Close()
	}
	in.pipe.Close()
	if err := <-in.fed; err != nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("input: %w", err)
	}
	return nil
}
