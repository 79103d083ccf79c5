package build

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// wallFactor is how many times its CPU time a compiler may take by the clock, which
// stands still while others have the machine: one that goes over it slept.
const wallFactor = 2

// compilerOutput is how much a compiler may write before it is stopped. What
// Options.Output says is kept of it.
const compilerOutput = 64 * limits.MiB

// compile fills dir with the program.
func (b *Builder) compile(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	return b.twice(func() error { return b.compileOnce(ctx, s, l, t, dir) })
}

// twice tries a compilation again while no other runs when it did not get the CPU time
// it asked for or its container died, for which a machine that lacks memory or processes
// may be the reason. Such a one has made nothing.
func (b *Builder) twice(compile func() error) error {
	b.alone.RLock()
	err := compile()
	b.alone.RUnlock()
	if !sandbox.Lost(err) {
		return err
	}
	b.alone.Lock()
	defer b.alone.Unlock()
	return compile()
}

// compileOnce compiles in a box whose working folder is the box's own, and takes what is
// wanted of it out into dir.
func (b *Builder) compileOnce(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	if len(l.Build) == 0 {
		return s.write(dir)
	}
	mounts := t.mounts(l.Build)
	var env []string
	goTools, err := b.goTools(ctx, s)
	if err != nil {
		return err
	}
	if goTools != nil {
		compiled, err := b.warmGo(ctx, s, b.language("go"), goTools)
		if err != nil {
			return err
		}
		defer compiled.Close()
		mounts = append(mounts, sandbox.Mount{Source: compiled.Dir, Target: goCache})
	}
	bounds := b.compiler(s)
	bounds.Output, bounds.Processes = compilerOutput, 512
	box, err := b.options.Host.NewBox(sandbox.Spec{
		Mounts: mounts, Dir: buildDir, Temp: bounds.Memory,
		Folder: sandbox.Folder{Path: buildDir, Size: maxResult, Mode: 0o777},
	})
	if err != nil {
		return err
	}
	defer box.Close()
	if goTools != nil {
		env = append([]string{"GOCACHE=" + box.Path(goCache)}, goSettings(goTools)...)
		if s.Language == Scripts {
			env = append(env, goFlags(b.language("go"))...)
		}
	}
	env = append(inFolder(t.environment(l), box), env...)

	sources := s.inOrder(l)
	for i, file := range sources {
		sources[i] = argument(file)
	}
	if _, module := s.files["go.mod"]; module && s.Language == "go" {
		sources = []string{"./" + s.folder}
	}
	output := &head{limit: int(min(b.options.Output, compilerOutput)), dir: box.Path(buildDir)}
	cmd := sandbox.Command{
		Args: expand(l.Build, t, map[string][]string{
			"{src}": sources, "{main}": {argument(s.main)}, "{stem}": {argument(stem(s.main))}, "{dir}": {"."}, "{exe}": {exeName},
		}),
		Env:    env,
		Stdout: output,
		Stderr: output,
		Limits: bounds,
	}
	if module := s.mainModule(); module != "" {
		cmd.Args = append(cmd.Args, "-main-is", module)
	}
	cmd.Placed = s.placed()
	result, err := box.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("compiler: %w", named(err))
	}
	if err := b.judgeBuild(result, output, s); err != nil {
		return err
	}
	left, err := box.Remains()
	if err != nil {
		return err
	}
	if err := s.keep(l, left, dir); err != nil {
		err = b.blame(s, output, err)
		if compile, ok := errors.AsType[*CompileError](err); ok {
			compile.lasting = true
		}
		return err
	}
	return s.writeClass(l, dir)
}

// blame makes a compile error of what is wrong with the outcome of a compilation, with
// what the compiler said. Another error is the judge's own.
func (b *Builder) blame(s *Source, output *head, err error) error {
	excess, wrong := (*sandbox.ExcessError)(nil), (*productError)(nil)
	if !errors.As(err, &excess) && !errors.As(err, &wrong) {
		return err
	}
	text := compilerName + " " + err.Error()
	if s.Language == Scripts {
		text = scriptName + " " + err.Error()
	}
	if said := output.String(); said != "" {
		text += "\n" + said
	}
	return &CompileError{Output: text}
}

// productError says what is wrong with what a compiler has made.
type productError struct{ what string }

func (e *productError) Error() string { return e.what }

// judgeBuild reports whether a compilation succeeded, from what the sandbox saw.
func (b *Builder) judgeBuild(r sandbox.Result, output *head, s *Source) error {
	bounds := b.compiler(s)
	fail := func(format string, args ...any) error {
		return b.blame(s, output, &productError{fmt.Sprintf(format, args...)})
	}
	if r.Full && r.Stop != sandbox.Cancelled {
		return b.blame(s, &head{}, &productError{fmt.Sprintf("wrote files of more than %v", maxResult)})
	}
	switch r.Stop {
	case sandbox.Cancelled:
		return context.Canceled
	case sandbox.OverWall:
		return fail("was stopped after %v, most of which it slept", bounds.Wall)
	case sandbox.OverCPU:
		return fail("used more than its limit of %v of CPU time", bounds.CPU)
	case sandbox.OverMemory:
		return fail("went over its memory limit of %v", bounds.Memory)
	case sandbox.OverOutput:
		return fail("wrote more than %v of messages", compilerOutput)
	case sandbox.Forbidden:
		return fail("made a call that the sandbox denies")
	case sandbox.Signalled:
		return fail("died: %v", syscall.Signal(r.Signal))
	}
	if r.ExitCode != 0 {
		said := output.String()
		if said == "" {
			return fail("ended with status %d and said nothing", r.ExitCode)
		}
		return &CompileError{Output: said, lasting: !output.lost}
	}
	return nil
}

func isELF(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return beginsELF(f)
}

// beginsELF reports whether a file begins as an executable does.
func beginsELF(f io.ReaderAt) bool {
	header := make([]byte, 20)
	if _, err := f.ReadAt(header, 0); err != nil {
		return false
	}
	kind := elf.Type(uint16(header[16]) | uint16(header[17])<<8)
	return string(header[:4]) == elf.ELFMAG && (kind == elf.ET_EXEC || kind == elf.ET_DYN)
}

// head keeps the first bytes written to it, for what a compiler says first is what
// matters. Both streams of the compiler write to it.
type head struct {
	mu    sync.Mutex
	limit int
	dir   string // of the sources, as the compiler sees it
	buf   bytes.Buffer
	lost  bool
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := min(len(p), h.limit-h.buf.Len())
	h.buf.Write(p[:keep])
	h.lost = h.lost || keep < len(p)
	return len(p), nil
}

// objectFile and assemblerFile are what gcc calls its temporary files, by chance.
var (
	objectFile    = regexp.MustCompile(`/tmp/cc\w{6}\.o`)
	assemblerFile = regexp.MustCompile(`/tmp/cc\w{6}\.s`)
)

// String returns what was kept as valid text without the jail's own paths.
func (h *head) String() string {
	text := strings.ToValidUTF8(h.buf.String(), "\uFFFD")
	if h.dir != "" {
		text = strings.ReplaceAll(text, h.dir+"/", "")
	}
	text = objectFile.ReplaceAllString(text, "the compiled file")
	text = assemblerFile.ReplaceAllString(text, "the assembler's file")
	text = strings.TrimPrefix(text, "# command-line-arguments\n")
	text = strings.TrimRight(text, "\n")
	if h.lost {
		text += "\n[more was cut]"
	}
	return text
}
