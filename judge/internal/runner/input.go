package runner

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// inMemory is the size up to which an input is copied into a memory file, which programs read
// fastest. Larger inputs are written to a pipe.
const inMemory = 64 * limits.MiB

// input is the standard input of one run: a memory file or a pipe.
type input struct {
	file *os.File
	pipe *os.File   // write end
	fed  chan error // result of writing to the pipe
}

// openInput makes data the standard input of a command, whose CPUs are set.
func openInput(cmd *sandbox.Command, data content.Content) (*input, error) {
	if limits.Bytes(data.Size()) <= inMemory {
		file, err := sandbox.InputFile(data.Reader(), data.Size(), cmd.CPUs)
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

// close releases the input after the run. An error means that the program may have read less
// than the whole input.
func (in *input) close() error {
	if in.file != nil {
		return in.file.Close()
	}
	in.pipe.Close()
	if err := <-in.fed; err != nil && !system.BrokenPipe(err) && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("input: %w", err)
	}
	return nil
}
