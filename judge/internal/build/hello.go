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

// Hello returns a right program of a language: it reads a line and writes it again after
// "hello, ". The error is fs.ErrNotExist for a language that has none.
func Hello(language string) ([]byte, error) { return hellos.ReadFile("hello/" + language + ".txt") }

// blameTools returns a *MissingError if a toolchain that has just refused a source does not
// compile a right program either: then its installation is broken, and not the source. It
// returns nil if it does, or if no such program is known; another error is the judge's own.
// It is found out once for each language.
func (b *Builder) blameTools(ctx context.Context, s *Source, l Language, t *toolchain) error {
	text, err := Hello(s.Language)
	if err != nil || len(l.Build) == 0 {
		return nil
	}
	t.proof.Lock()
	defer t.proof.Unlock()
	if t.proved {
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
			Language: s.Language, Tool: l.Build[0], Words: compile.Output,
			Says: fmt.Sprintf("%s does not compile a correct program: %s", tool, compile.Cause()),
		}
		err = nil
	}
	if t.proved = err == nil; !t.proved {
		return err
	}
	return t.broken
}
