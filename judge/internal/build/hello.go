package build

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"strings"

	"tribunal/judge/internal/cache"
)

//go:embed hello/*.txt
var hellos embed.FS

// Hello returns a correct program in a language: it reads a line and prints "hello, " and the line.
// If the judge has none in that language, the error is [fs.ErrNotExist].
func Hello(language string) ([]byte, error) { return hellos.ReadFile("hello/" + language + ".txt") }

// noGoCache begins what the go command prints if it cannot use the compiled packages that the jail
// mounts. The installation is not to blame for that.
const noGoCache = "failed to initialize build cache at "

// checkTools compiles a correct program with a toolchain that has just rejected a source. If that
// fails, too, the installation is broken and not the source, and checkTools returns a
// *MissingError. It returns nil if the program compiles, or if the judge has none in that language.
// Other errors are failures of the judge. It checks each language once.
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
	compile, ok := errors.AsType[*CompileError](err)
	switch {
	case ok && strings.HasPrefix(compile.Output, noGoCache):
		return &cache.Error{Dir: b.options.Cache.Dir(), Err: fmt.Errorf("the jail cannot use %s: %s", goFolder, compile.Cause())}
	case ok:
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
