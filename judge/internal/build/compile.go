package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// wallFactor is the ratio of a compiler's wall time limit to its CPU time limit. The sandbox does
// not count time in which other programs have the CPU, so a compiler that exceeds it was asleep.
const wallFactor = 2

// compilerOutput is the output limit of a compiler. Only the first Options.Output bytes are kept.
const compilerOutput = 64 * limits.MiB

// compile builds the program into dir. If a compilation may have failed because the machine lacked
// memory or processes, compile repeats it while no other compilation runs.
func (b *Builder) compile(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	return runner.Retry(ctx, func(again bool) error {
		if again {
			b.alone.Lock()
			defer b.alone.Unlock()
		} else {
			b.alone.RLock()
			defer b.alone.RUnlock()
		}
		err := b.compileFast(ctx, s, l, t, dir)
		if named := s.named(l, err); named != nil {
			second := b.compileOnce(ctx, named, l, t, dir, nil)
			if named.named(l, second) == nil { // else the file has several public types
				return second
			}
		}
		return err
	})
}

// compileFast compiles with the compiled header if it may. What the compiler says is always what it says without.
func (b *Builder) compileFast(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	if header := b.header(ctx, s, l, t); header != nil {
		defer header.Close()
		err := b.compileOnce(ctx, s, l, t, dir, header)
		if _, refused := errors.AsType[*CompileError](err); !refused {
			return err
		}
	}
	return b.compileOnce(ctx, s, l, t, dir, nil)
}

// compileOnce compiles in a folder of a fresh box, with a header unless it is nil. It copies the files that the language
// keeps from there to dir.
func (b *Builder) compileOnce(ctx context.Context, s *Source, l Language, t *toolchain, dir string, header *cache.Entry) error {
	if len(l.Build) == 0 {
		return s.write(dir)
	}
	mounts := t.mounts(l.Build)
	env := t.environment(l)
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
	if goTools != nil {
		env = append(append(env, "GOCACHE="+sandbox.Anywhere.Path(goCache)), goSettings(goTools)...)
		if s.Language == Scripts {
			env = append(env, goFlags(b.language("go"))...)
		}
	}

	sources := s.inOrder(l)
	for i, file := range sources {
		sources[i] = argument(file)
	}
	if _, module := s.files["go.mod"]; module && s.Language == "go" {
		sources = []string{"./" + s.folder}
	}
	if s.hasIncludes() {
		sources = append([]string{"-I" + includes}, sources...)
	}
	if header != nil {
		folder := headerFolder()
		mounts = append(mounts, sandbox.Mount{Source: header.Path(headerForms), Target: folder})
		sources = append(headerArguments(header, folder), sources...)
	}
	r := runner.Request{Fresh: true, Program: runner.Program{
		Box: sandbox.Spec{
			Mounts: mounts, Dir: buildDir, Temp: bounds.Memory,
			Folder: sandbox.Folder{Path: buildDir, Size: maxResult, Mode: 0o777},
		},
		Args: expand(l.Build, t, map[string][]string{
			"{src}": sources, "{main}": {argument(s.main)}, "{stem}": {argument(stem(s.main))}, "{dir}": {"."}, "{exe}": {exeName},
		}),
		Env:    forTools(env, sandbox.Anywhere.Path(buildDir)),
		In:     s.buildFiles(),
		Out:    []runner.CopyOut{product(l)},
		Limits: bounds,
		Merged: true,
	}}
	if s.Language == Checktestdata {
		if r.Exe, err = ownExecutable(); err != nil {
			return err
		}
		defer r.Exe.Close()
	}
	if module := s.mainModule(); module != "" {
		r.Args = append(r.Args, "-main-is", module)
	}
	output := &head{limit: int(min(b.options.Output, compilerOutput))}
	reply, err := b.options.Runner.Run(ctx, r, output)
	if err != nil {
		return fmt.Errorf("compiler: %w", nameTooLong(err))
	}
	defer reply.Copies.Close()
	output.dir = reply.Folder
	if header != nil && headerMatters(reply.Result, bounds) {
		return &CompileError{}
	}
	if err := b.checkResult(reply.Result, output, s); err != nil {
		return cmp.Or(s.otherEdition(l, err), s.otherProgram(err), err)
	}
	if err := s.keep(l, reply.Copies.Get(r.Out[0].Name), dir); err != nil {
		err = b.compileError(s, output, err)
		if compile, ok := errors.AsType[*CompileError](err); ok {
			compile.repeatable = true
		}
		return err
	}
	return s.writeClass(l, dir)
}

// tooOld begins the line that newerGo adds.
const tooOld = "this Go is too old"

// oldGo matches what a version of Go prints that is older than the one that go.mod asks for.
var oldGo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`invalid go version '([0-9.]+)'|requires go >= ([0-9.]+)|\(go\.mod requires go ([0-9.]+) `)
})

// newerGo returns a line that says what to do, if the output of the go command says that it is too
// old for a program; else "".
func newerGo(output string) string {
	found := oldGo().FindStringSubmatch(output)
	if found == nil {
		return ""
	}
	return fmt.Sprintf("\n%s: install Go %s or later from https://go.dev/dl/", tooOld, cmp.Or(found[1:]...))
}

// compileError turns an error for which the submission is to blame into a *CompileError with the
// compiler's output. It returns other errors, which are failures of the judge, unchanged.
func (b *Builder) compileError(s *Source, output *head, err error) error {
	excess, wrong := (*sandbox.ExcessError)(nil), (*resultError)(nil)
	if !errors.As(err, &excess) && !errors.As(err, &wrong) {
		return err
	}
	text := compilerName + " " + err.Error()
	if s.Language == Scripts {
		text = scriptName + " " + err.Error()
	}
	if messages := output.String(); messages != "" {
		text += "\n" + messages
	}
	return &CompileError{Output: text}
}

// resultError reports that a compilation failed or that its result cannot be used. Its text
// continues a sentence that begins with "the compiler".
type resultError struct{ text string }

func (e *resultError) Error() string { return e.text }

// checkResult returns an error unless the sandbox's result shows that a compilation succeeded.
func (b *Builder) checkResult(r sandbox.Result, output *head, s *Source) error {
	bounds := b.compiler(s)
	fail := func(format string, args ...any) error {
		return b.compileError(s, output, &resultError{fmt.Sprintf(format, args...)})
	}
	if r.FolderFull && r.Stop != sandbox.Cancelled {
		return b.compileError(s, &head{}, &resultError{fmt.Sprintf("wrote more than %v of files", maxResult)})
	}
	switch r.Stop {
	case sandbox.Cancelled:
		return context.Canceled
	case sandbox.OverWall:
		return fail("exceeded its wall time limit of %v, mostly asleep", bounds.Wall)
	case sandbox.OverCPU:
		return fail("exceeded its CPU time limit of %v", bounds.CPU)
	case sandbox.OverMemory:
		return fail("exceeded its memory limit of %v", bounds.Memory)
	case sandbox.OverOutput:
		return fail("wrote more than %v of messages", compilerOutput)
	case sandbox.Forbidden:
		return fail("made a system call that the sandbox denies")
	case sandbox.Signalled:
		return fail("died: %v", syscall.Signal(r.Signal))
	}
	if r.ExitCode != 0 {
		messages := output.String()
		if messages == "" {
			return fail("exited with status %d without a message", r.ExitCode)
		}
		if s.Language == "go" {
			messages += newerGo(messages)
		}
		return &CompileError{Output: messages, repeatable: !output.lost}
	}
	return nil
}

func isProgram(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return beginsProgram(f)
}

// head keeps the first bytes written to it, because a compiler's first messages matter most.
type head struct {
	limit int
	dir   string // path of the sources in the jail; String removes it from messages
	buf   bytes.Buffer
	lost  bool // more than limit bytes were written
}

func (h *head) Write(p []byte) (int, error) {
	keep := min(len(p), h.limit-h.buf.Len())
	h.buf.Write(p[:keep])
	h.lost = h.lost || keep < len(p)
	return len(p), nil
}

// objectFile and assemblerFile match the random names of gcc's temporary files.
var (
	objectFile    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/tmp/cc\w{6}\.o`) })
	assemblerFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/tmp/cc\w{6}\.s`) })
)

// String returns the kept bytes as valid UTF-8, without the paths of the jail, and notes if some
// were dropped.
func (h *head) String() string {
	text := strings.ToValidUTF8(h.buf.String(), "\uFFFD")
	if h.dir != "" {
		text = strings.ReplaceAll(text, h.dir+"/", "")
	}
	text = objectFile().ReplaceAllString(text, "the compiled file")
	text = assemblerFile().ReplaceAllString(text, "the assembler's file")
	text = strings.TrimPrefix(text, "# command-line-arguments\n")
	text = strings.TrimRight(text, "\n")
	if h.lost {
		text += "\n[output truncated]"
	}
	return text
}

// includes is the folder in which the projects of C and C++ keep headers, by the names of which alone their
// sources include them.
const includes = "include"

// hasIncludes reports whether the source has a folder include.
func (s *Source) hasIncludes() bool {
	if s.Language != "c" && s.Language != "cpp" {
		return false
	}
	for file := range s.files {
		if strings.HasPrefix(file, includes+"/") && IsHeader(file) {
			return true
		}
	}
	return false
}
