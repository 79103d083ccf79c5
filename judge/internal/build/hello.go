package build

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
)

//go:embed hello/*.txt
var hellos embed.FS

// Hello returns a correct program in a language, which reads a line and writes it after "hello, ".
// If the language has none, the error is fs.ErrNotExist.
func Hello(language string) ([]byte, error) { return hellos.ReadFile("hello/" + language + ".txt") }

// checkTools compiles a correct program with a toolchain that has just rejected a source. If that
// fails too, the installation is broken, not the source, and it returns a *MissingError. It returns
// nil if it compiles, or if the language has no such program; other errors are the judge's own.
// Each language is checked once.
func (b *Builder) checkTools(ctx context.Context, s *Source, l Language, t *toolchain) error {
	text, err := Hello(s.Language)
	if err != nil || len(l.Build) == 0 {
		return nil
	}
	t.check.Lock()
	defer t.check.Unlock()
	if t.checked {
		return t.broken
	}
	hello, err := Read("hello", "", bytes.NewReader(text), s.Language, b.options.Languages)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(b.options.Temp, "hello-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = b.compile(ctx, hello, l, t, dir)
	if compile, ok := errors.AsType[*CompileError](err); ok {
		tool := t.Tools[l.Build[0]]
		t.broken = &MissingError{
			Language: s.Language, Tool: l.Build[0], Output: compile.Output,
			Problem: fmt.Sprintf("%s does not compile a correct program: %s", tool, compile.Cause()),
		}
		err = nil
	}
	if t.checked = err == nil; !t.checked {
		return err
	}
	return t.broken
}
