// Package build turns a source path or a binary into an executable, once.
//
// A program is kept in the cache under the hash of its sources, the build command
// and the toolchain's version. Compilers run in the sandbox under limits, like
// the programs they produce.
package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Options configure a Builder.
type Options struct {
	Languages map[string]Language
	Timeout   time.Duration // wall time of one compilation; CPU time may be twice that
	Memory    limits.Bytes
	Output    limits.Bytes // how much of the compiler's output is read
	Cache     *cache.Cache
	Host      *sandbox.Host
}

// DefaultTimeout, DefaultMemory and DefaultOutput bound a compilation unless
// runner.yaml says otherwise.
const (
	DefaultTimeout = 60 * time.Second
	DefaultMemory  = 2 * limits.GiB
	DefaultOutput  = limits.MiB
)

// Where things are inside the jail.
const (
	buildDir  = "/build"       // sources and what is made of them
	goCache   = "/gocache"     // compiled packages of Go's standard library
	exeName   = ".program"     // in buildDir; cannot meet a source, which has an ending
	maxResult = limits.GiB / 4 // of all files that a build may leave
)

// Builder builds programs. It is safe for concurrent use.
type Builder struct {
	options    Options
	mu         sync.Mutex
	toolchains map[string]*toolchain
}

// New returns a builder.
func New(o Options) *Builder {
	return &Builder{options: o, toolchains: map[string]*toolchain{}}
}

// Languages returns the languages that the builder knows. It must not be changed.
func (b *Builder) Languages() map[string]Language { return b.options.Languages }

// CompileError is a submission's own fault: its sources do not become a program.
type CompileError struct {
	Output string // the compiler's words, bounded, with paths relative to the submission
}

func (e *CompileError) Error() string { return "compile error: " + e.Output }

// Program is a built submission, ready to be run any number of times. Its methods
// are safe for concurrent use; Close it after the last run.
type Program struct {
	Language string
	Key      cache.Key
	Cached   bool          // it was in the cache
	Time     time.Duration // of the compilation, 0 when Cached

	entry  *cache.Entry
	exe    *os.File // set when the program is an executable
	args   []string
	env    []string
	mounts []sandbox.Mount
}

// Close lets go of the program's files.
func (p *Program) Close() error {
	var err error
	if p.exe != nil {
		err = p.exe.Close()
	}
	return errors.Join(err, p.entry.Close())
}

// Spec describes the box that the program needs. Programs with equal specs can
// share one.
func (p *Program) Spec() sandbox.Spec { return sandbox.Spec{Mounts: p.mounts} }

// Command returns the command that runs the program in a box made for Spec, under
// the limits, with arguments added.
func (p *Program) Command(box sandbox.Box, l limits.Limits, args ...string) sandbox.Command {
	memory := max(l.Memory/limits.MiB, 1)
	heap := 2 * memory
	if l.Memory == 0 {
		memory, heap = 1<<20, 1<<20
	}
	fill := strings.NewReplacer(
		"{memory}", strconv.FormatInt(int64(memory), 10)+"m",
		"{heap}", strconv.FormatInt(int64(heap), 10),
		"{cpus}", strconv.Itoa(max(l.CPUs, 1)),
		"{dir}", box.Path(buildDir),
	)
	cmd := sandbox.Command{Exe: p.exe, Env: p.env, Limits: l}
	for _, arg := range p.args {
		cmd.Args = append(cmd.Args, fill.Replace(arg))
	}
	cmd.Args = append(cmd.Args, args...)
	return cmd
}

// Build returns the program of a source, from the cache or newly built. The error
// is a *CompileError when that is the submission's fault, a *MissingError when the
// language is not installed, and otherwise the judge's own.
func (b *Builder) Build(ctx context.Context, s *Source) (*Program, error) {
	if s.binary != "" {
		return b.adopt(s)
	}
	if s.empty {
		return nil, &CompileError{Output: "the source is empty"}
	}
	l := b.options.Languages[s.Language]
	t, err := b.resolve(ctx, s.Language)
	if err != nil {
		return nil, err
	}
	key := b.key(s, l, t)
	p := &Program{Language: s.Language, Key: key}
	if p.entry, err = b.options.Cache.Get(key); err != nil {
		return nil, err
	}
	if p.Cached = p.entry != nil; !p.Cached {
		start := time.Now()
		p.entry, err = b.options.Cache.Put(key, func(dir string) error {
			err := b.compile(ctx, s, l, t, dir)
			if compile := (*CompileError)(nil); errors.As(err, &compile) {
				if full := b.options.Cache.Full(); full != nil {
					return full // the compiler had no room to write: not the submission's fault
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		p.Time = time.Since(start)
	}
	return p, b.finish(p, s, l, t)
}

// Key returns the key that the program of a source is or would be stored under,
// which changes with everything that can change its behaviour.
func (b *Builder) Key(ctx context.Context, s *Source) (cache.Key, error) {
	if s.binary != "" {
		return binaryKey(s.binary)
	}
	t, err := b.resolve(ctx, s.Language)
	if err != nil {
		return "", err
	}
	return b.key(s, b.options.Languages[s.Language], t), nil
}

func (b *Builder) key(s *Source, l Language, t *toolchain) cache.Key {
	h := cache.NewHasher("build 1")
	h.Text(t.Version)
	h.Text(l.Build...)
	h.Text(l.Env...)
	s.key(h)
	return h.Key()
}

// finish makes a stored program ready to run.
func (b *Builder) finish(p *Program, s *Source, l Language, t *toolchain) error {
	p.env = t.environment(l)
	if len(l.Run) == 0 {
		exe, err := memoryCopy(p.entry.Path(exeName))
		if err != nil {
			p.entry.Close()
			return fmt.Errorf("cache: %w", err)
		}
		p.exe, p.args = exe, []string{"/w/program"}
		return nil
	}
	p.mounts = append(t.mounts(), sandbox.Mount{Source: p.entry.Path("."), Target: buildDir})
	main := s.main
	if s.class != "" {
		main = s.class
	}
	p.args = expand(l.Run, t, map[string][]string{"{main}": {main}, "{exe}": {"{dir}/" + exeName}})
	return nil
}

// memoryCopy returns a file in memory with the same bytes, which nobody can change.
// Programs are run from it, since /proc/self/exe leads out of every jail: whoever
// owns the file in the cache, the account of programs or the judge's own, could
// rewrite it there, or leave notes for the next run.
func memoryCopy(path string) (*os.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// See adopt: no child may inherit it while it is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return sandbox.MemFile(data)
}

// expand fills placeholders in; one that is a whole argument may become several.
func expand(command []string, t *toolchain, values map[string][]string) []string {
	var list []string
	for i, arg := range command {
		if tool := t.Tools[arg]; i == 0 && tool != "" {
			list = append(list, tool)
			continue
		}
		if several, ok := values[arg]; ok {
			list = append(list, several...)
			continue
		}
		for name, value := range values {
			arg = strings.ReplaceAll(arg, name, strings.Join(value, " "))
		}
		list = append(list, arg)
	}
	return list
}

// argument keeps a file whose name begins with a dash from being read as an option.
func argument(file string) string {
	if strings.HasPrefix(file, "-") {
		return "./" + file
	}
	return file
}

// compile fills dir with the program, through a box that shows dir as its working
// folder.
func (b *Builder) compile(ctx context.Context, s *Source, l Language, t *toolchain, dir string) error {
	if err := s.write(dir); err != nil {
		return err
	}
	if err := openTree(dir); err != nil {
		return err
	}
	if len(l.Build) == 0 {
		return nil
	}
	mounts := append(t.mounts(), sandbox.Mount{Source: dir, Target: buildDir, Writable: true})
	env := t.environment(l)
	if s.Language == "go" {
		compiled, err := b.warmGo(ctx, s, l, t)
		if err != nil {
			return err
		}
		mounts = append(mounts, sandbox.Mount{Source: compiled, Target: goCache})
	}
	box, err := b.options.Host.NewBox(sandbox.Spec{Mounts: mounts, Dir: buildDir, Temp: b.options.Memory})
	if err != nil {
		return err
	}
	defer box.Close()
	if s.Language == "go" {
		env = append(env, "GOCACHE="+box.Path(goCache))
	}

	sources := s.sources(l)
	for i, file := range sources {
		sources[i] = argument(file)
	}
	if _, module := s.files["go.mod"]; module && s.Language == "go" {
		sources = []string{"."}
	}
	output := &head{limit: int(min(b.options.Output, limits.MiB*64)), dir: box.Path(buildDir)}
	cmd := sandbox.Command{
		Args: expand(l.Build, t, map[string][]string{
			"{src}": sources, "{main}": {argument(s.main)}, "{dir}": {"."}, "{exe}": {exeName},
		}),
		Env:    env,
		Stdout: output,
		Stderr: output,
		Limits: limits.Limits{
			CPU: 2 * b.options.Timeout, Wall: b.options.Timeout,
			Memory: b.options.Memory, Output: 64 * limits.MiB, Processes: 512,
		},
	}
	result, err := box.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("compiler: %w", err)
	}
	return b.judgeBuild(result, output, l, dir)
}

// judgeBuild tells whether a compilation succeeded, from what the sandbox saw.
func (b *Builder) judgeBuild(r sandbox.Result, output *head, l Language, dir string) error {
	said := output.String()
	fail := func(format string, args ...any) error {
		text := fmt.Sprintf(format, args...)
		if said != "" {
			text += "\n" + said
		}
		return &CompileError{Output: text}
	}
	switch r.Stop {
	case sandbox.Cancelled:
		return context.Canceled
	case sandbox.OverWall, sandbox.OverCPU:
		return fail("the compiler was stopped after %v", b.options.Timeout)
	case sandbox.OverMemory:
		return fail("the compiler went over its memory limit of %v", b.options.Memory)
	case sandbox.OverOutput:
		return fail("the compiler wrote too much")
	case sandbox.Forbidden:
		return fail("the compiler made a call that the sandbox denies")
	case sandbox.Signalled:
		return fail("the compiler died: %v", r.Signal)
	}
	if r.ExitCode != 0 {
		if said == "" {
			return fail("the compiler ended with status %d and said nothing", r.ExitCode)
		}
		return &CompileError{Output: said}
	}
	if len(l.Run) > 0 {
		return nil
	}
	// Keep the executable alone.
	exe := filepath.Join(dir, exeName)
	info, err := os.Lstat(exe)
	if err != nil || !info.Mode().IsRegular() || !isELF(exe) {
		return fail("the compiler did not produce a program (is there a main function?)")
	}
	if limits.Bytes(info.Size()) > maxResult {
		return fail("the program is larger than %v", maxResult)
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

// adopt stores a submitted executable, so that a later change of the file does not
// change a run in progress.
func (b *Builder) adopt(s *Source) (*Program, error) {
	key, err := binaryKey(s.binary)
	if err != nil {
		return nil, err
	}
	p := &Program{Language: Binary, Key: key}
	if p.entry, err = b.options.Cache.Get(key); err != nil {
		return nil, err
	}
	if p.Cached = p.entry != nil; !p.Cached {
		p.entry, err = b.options.Cache.Put(key, func(dir string) error {
			// No child may be forked while the copy is open for writing: it would
			// inherit the descriptor and make the program "text file busy".
			syscall.ForkLock.RLock()
			defer syscall.ForkLock.RUnlock()
			return copyFile(filepath.Join(dir, exeName), s.binary)
		})
		if err != nil {
			return nil, err
		}
	}
	return p, b.finish(p, s, Language{}, &toolchain{})
}

func binaryKey(path string) (cache.Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	h := cache.NewHasher("binary 1")
	h.Text(hex.EncodeToString(sum.Sum(nil)))
	return h.Key(), nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(0o755), out.Close())
}

// openTree lets the jail's account write into the folders of a tree and read its
// files, whatever the judge's umask is.
func openTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o777)
		}
		return os.Chmod(path, 0o644)
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

// objectFile is what gcc calls its temporary files, by chance.
var objectFile = regexp.MustCompile(`/tmp/cc\w{6}\.o`)

// String returns what was kept as valid text without the jail's own paths.
func (h *head) String() string {
	text := strings.ToValidUTF8(h.buf.String(), "\uFFFD")
	if h.dir != "" {
		text = strings.ReplaceAll(text, h.dir+"/", "")
	}
	text = objectFile.ReplaceAllString(text, "the compiled file")
	text = strings.TrimPrefix(text, "# command-line-arguments\n")
	text = strings.TrimRight(text, "\n")
	if h.lost {
		text += "\n[more was cut]"
	}
	return text
}
