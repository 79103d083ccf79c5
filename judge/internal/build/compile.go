package build

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// wallFactor is how many times its CPU time a compiler may take by the clock. One
// that goes over it slept, or other programs had the machine.
const wallFactor = 10

// compilerOutput is how much a compiler may write before it is stopped. What
// Options.Output says is kept of it.
const compilerOutput = 64 * limits.MiB

// compile fills dir with the program.
func (b *Builder) compile(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	return b.twice(dir, func() error { return b.compileOnce(ctx, s, l, t, dir) })
}

// twice tries a compilation in dir, which is empty, again while no other runs when
// it did not get the CPU time it asked for or its container died, for which a machine
// that lacks memory or processes may be the reason.
func (b *Builder) twice(dir string, compile func() error) error {
	b.alone.RLock()
	err := compile()
	b.alone.RUnlock()
	if starved := (*starvedError)(nil); !errors.As(err, &starved) && !errors.Is(err, sandbox.ErrDied) {
		return err
	}
	b.alone.Lock()
	defer b.alone.Unlock()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return compile()
}

// starvedError reports a compiler that was stopped by the clock while it waited for
// a CPU: the machine's fault, not the submission's.
type starvedError struct{ wall, cpu, waited time.Duration }

func (e *starvedError) Error() string {
	return fmt.Sprintf("compiler: stopped after %v, in which it got %v of CPU time and waited %v for more (hint: give this machine less to do, or raise build.timeout in runner.yaml)",
		e.wall, e.cpu.Round(time.Millisecond), e.waited.Round(time.Millisecond))
}

// compileOnce compiles in a box that shows dir as its working folder.
func (b *Builder) compileOnce(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	if err := s.write(dir); err != nil {
		return err
	}
	perm := os.FileMode(0o666)
	if s.Language == Scripts {
		perm = 0o777 // an archive may have lost which of them are executable
	}
	if err := openTree(dir, perm); err != nil {
		return err
	}
	if len(l.Build) == 0 {
		return nil
	}
	mounts := append(t.mounts(l.Build), sandbox.Mount{Source: dir, Target: buildDir, Writable: true})
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
		mounts = append(mounts, sandbox.Mount{Source: compiled, Target: goCache})
	}
	bounds := b.compiler(s)
	bounds.Output, bounds.Processes = compilerOutput, 512
	box, err := b.options.Host.NewBox(sandbox.Spec{Mounts: mounts, Dir: buildDir, Temp: bounds.Memory})
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
	running, stop := context.WithCancel(ctx)
	defer stop()
	large := make(chan bool, 1)
	go func() { large <- watchSize(running, dir, stop) }()
	result, err := box.Run(running, cmd)
	stop()
	reopen(dir)
	if <-large {
		return &CompileError{Output: fmt.Sprintf("the compiler wrote files of more than %v", maxResult)}
	}
	if err != nil {
		return fmt.Errorf("compiler: %w", err)
	}
	return b.judgeBuild(result, output, s, l, dir)
}

// judgeBuild tells whether a compilation succeeded, from what the sandbox saw.
func (b *Builder) judgeBuild(r sandbox.Result, output *head, s *Source, l Language, dir string) error {
	said := output.String()
	bounds := b.compiler(s)
	who := compilerName
	if s.Language == Scripts {
		who = scriptName
	}
	fail := func(format string, args ...any) error {
		text := who + " " + fmt.Sprintf(format, args...)
		if said != "" {
			text += "\n" + said
		}
		return &CompileError{Output: text}
	}
	switch r.Stop {
	case sandbox.Cancelled:
		return context.Canceled
	case sandbox.OverWall:
		if r.Waited > bounds.Wall/10 {
			return &starvedError{bounds.Wall, r.CPU, r.Waited}
		}
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
		return fail("died: %v", r.Signal)
	}
	if r.ExitCode != 0 {
		if said == "" {
			return fail("ended with status %d and said nothing", r.ExitCode)
		}
		return &CompileError{Output: said}
	}
	if len(l.Run) > 0 {
		if treeSize(dir) > maxResult {
			return fail("wrote files of more than %v", maxResult)
		}
		return nil
	}
	// Keep the executable alone.
	exe := filepath.Join(dir, exeName)
	info, err := os.Lstat(exe)
	if err != nil || !info.Mode().IsRegular() || !isELF(exe) {
		return fail("did not produce a program (is there a main function?)")
	}
	if limits.Bytes(info.Size()) > maxResult {
		return fail("made a program larger than %v", maxResult)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != exeName {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Chmod(exe, 0o755)
}

// watchSize stops a compilation whose files take more room than they may, since
// they are on the disk of the judge, and reports whether it did. It ends with ctx.
func watchSize(ctx context.Context, dir string, stop func()) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(sizeInterval):
			if treeSize(dir) > maxResult {
				stop()
				return true
			}
		}
	}
}

// sizeInterval is how often the files of a compilation are looked at.
const sizeInterval = 100 * time.Millisecond

// treeSize returns the size of the files below a folder. Those which vanish
// meanwhile do not count.
func treeSize(dir string) (total limits.Bytes) {
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			total += limits.Bytes(info.Size())
		}
		return nil
	})
	return total
}

func isELF(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	header := make([]byte, 20)
	if _, err := io.ReadFull(f, header); err != nil {
		return false
	}
	kind := elf.Type(uint16(header[16]) | uint16(header[17])<<8)
	return string(header[:4]) == elf.ELFMAG && (kind == elf.ET_EXEC || kind == elf.ET_DYN)
}

// openTree lets the jail's account change a tree, whatever the judge's umask is. Its
// files get these permissions. Other accounts of the host cannot enter the cache.
func openTree(dir string, files os.FileMode) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o777)
		}
		return os.Chmod(path, files) // a class file that was handed in is written anew
	})
}

// reopen takes back the right to go through a tree and to remove it, which programs that a
// compiler has run may have taken away. Where it cannot, whoever needs it will tell.
func reopen(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o777)
		}
		return err
	})
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
