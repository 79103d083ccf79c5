// Package build turns a source path or a binary into an executable, once.
//
// A program is stored in the cache under the hash of its sources, the build command and the
// toolchain's version. Compilers run in the sandbox under limits, like the programs that they
// produce.
//
// [Open] and its relatives (source.go, submission.go, scripts.go, own.go) read a [Source] and find
// its language (language.go, defaults.go) and its main file (main_file.go, main_class.go,
// go_main.go). [Builder.Build] finds the toolchain (toolchain.go), compiles (compile.go) and stores
// the result (keep.go).
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/outputs"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tally"
)

// Options configure a Builder.
type Options struct {
	Languages map[string]Language
	Timeout   time.Duration // CPU time limit of one compilation; the wall time limit is twice that
	Memory    limits.Bytes  // memory limit of one compilation
	Output    limits.Bytes  // the number of bytes of the compiler's output to keep
	Cache     *cache.Cache
	Runner    runner.Runner // runs compilers; it must be able to mount folders of the cache
	Temp      string        // folder for temporary files of tools that run outside the jail
}

// DefaultTimeout, DefaultMemory and DefaultOutput are the values of [Options] unless runner.yaml
// sets others.
const (
	DefaultTimeout = 60 * time.Second
	DefaultMemory  = 2 * limits.GiB
	DefaultOutput  = limits.MiB
)

// Paths in the jail, and limits on the files that a build leaves there.
const (
	buildDir  = "/build"         // holds the sources and the files that the build makes
	goCache   = "/gocache"       // holds compiled packages of Go's standard library
	maxResult = 640 * limits.MiB // largest total size of the files of a build
	maxLeft   = 20_000           // largest number of files and folders that a build may leave, in a language with a run command
	maxStack  = 64 * limits.MiB
)

// Builder builds programs. It is safe for concurrent use.
type Builder struct {
	options    Options
	mu         sync.Mutex
	toolchains map[string]*toolchain
	alone      sync.RWMutex // a compilation that must run alone holds it for writing, others for reading

	remember, fresh bool // set by RememberRefusals

	headers    sync.Mutex              // held while a header is compiled
	headerless map[cache.Key]time.Time // when headers could not be compiled, guarded by headers
}

func New(o Options) *Builder {
	return &Builder{options: o, toolchains: map[string]*toolchain{}, headerless: map[cache.Key]time.Time{}}
}

// Languages returns the languages that the builder knows. Callers must not change the map.
func (b *Builder) Languages() map[string]Language { return b.options.Languages }

// Program is a built submission, which can be run any number of times. Its methods are safe for
// concurrent use; Close it after the last run.
type Program struct {
	Language string
	Key      cache.Key
	Cached   bool          // the program was in the cache
	Time     time.Duration // wall-clock time of the compilation; 0 if Cached

	entry  *cache.Entry
	image  func() (*os.File, error) // copies the executable, or the judge's own if it interprets the program, into memory; else nil
	mu     sync.Mutex
	exe    *os.File // the copy; nil until the first run
	args   []string // the run command, with placeholders
	main   string   // value of {main}
	stem   string   // value of {stem}
	env    []string
	mounts []sandbox.Mount
	files  map[string][]byte // files in its working directory; must not be changed

	stamped   sync.Once
	installed cache.Key // what Installed returns, after stamped

	outputs *outputs.Set // what was submitted instead of a program, which cannot be run then; else nil
}

// Installed returns a key that changes when something is installed that the program finds when it runs: a module of
// its interpreter, or a library.
func (p *Program) Installed() cache.Key {
	p.stamped.Do(func() {
		h := cache.NewHasher("installed")
		var paths []string
		for _, m := range p.mounts {
			if m.Target != buildDir {
				paths = append(paths, m.Source)
			}
		}
		stampAll(h, paths)
		p.installed = h.Key()
	})
	return p.installed
}

// Close closes the program's files.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.outputs != nil {
		return nil
	}
	var err error
	if p.exe != nil {
		err = p.exe.Close()
	}
	return errors.Join(err, p.entry.Close())
}

// Executable reports whether the program itself is an executable, submitted or compiled, rather
// than run by an interpreter of this machine or by the judge.
func (p *Program) Executable() bool { return p.image != nil && p.Language != Checktestdata }

// Spec describes the box that the program needs. Programs with equal specs can share a box.
func (p *Program) Spec() sandbox.Spec { return sandbox.Spec{Mounts: p.mounts} }

// Command returns the command that runs the program under the limits in a box that was made for
// [Program.Spec]. args follow the arguments of the run command. Its Files are those that were
// submitted with the sources; callers must not change their contents. The first call copies the
// executable into memory; the error is a failure of the judge.
func (p *Program) Command(box sandbox.Box, l limits.Limits, args ...string) (sandbox.Command, error) {
	if p.outputs != nil {
		return sandbox.Command{}, errors.New("outputs were submitted, which cannot be run")
	}
	exe, err := p.executable()
	if err != nil {
		return sandbox.Command{}, fmt.Errorf("cache: %w", err)
	}
	list, env := p.CommandLine(box, l, args...)
	return sandbox.Command{Exe: exe, Args: list, Env: env, Limits: l, Files: p.files}, nil
}

// executable returns the copy of the executable, or nil if a tool of this machine runs the program.
func (p *Program) executable() (_ *os.File, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.exe == nil && p.image != nil {
		p.exe, err = p.image()
	}
	return p.exe, err
}

// CommandLine returns the arguments and the environment of [Program.Command]. It opens nothing, so
// it can be called for a program that never runs.
func (p *Program) CommandLine(box sandbox.Box, l limits.Limits, args ...string) (list, env []string) {
	memory := max(l.Memory/limits.MiB, 1)
	heap := 2 * memory
	if l.Memory == 0 {
		memory, heap = 1<<20, 1<<20
	}
	stack := max(min(memory/2, maxStack/limits.MiB), 1)
	// Replace all placeholders in one pass, because the name of a file may look like one. Most
	// programs have none; the replacer would be a tenth of what the judge allocates for their runs.
	fill := sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer(
			"{main}", p.main,
			"{stem}", p.stem,
			"{exe}", box.Path(buildDir)+"/"+exeName,
			"{memory}", strconv.FormatInt(int64(memory), 10)+"m",
			"{heap}", strconv.FormatInt(int64(heap), 10),
			"{stack}", strconv.FormatInt(int64(stack), 10),
			"{cpus}", strconv.Itoa(max(l.CPUs, 1)),
			"{dir}", box.Path(buildDir),
		)
	})
	for _, arg := range p.args {
		if strings.Contains(arg, "{") {
			arg = fill().Replace(arg)
		}
		list = append(list, arg)
	}
	for _, setting := range p.env {
		if strings.Contains(setting, "{") {
			setting = fill().Replace(setting)
		}
		env = append(env, setting)
	}
	return append(list, args...), env
}

// Build returns the program of a source, from the cache or newly built. The error is a
// [*CompileError] if the submission is to blame; a [*MissingError] if the language is not
// installed, or does not compile a correct program either; an [*UnreadError] if the source could
// not be read; an [*UnclearError] if it is not surely one program. Any other error is a failure of the judge.
func (b *Builder) Build(ctx context.Context, s *Source) (*Program, error) {
	p, err := b.build(ctx, s)
	if unclear, ok := errors.AsType[*UnclearError](err); ok && s.terms.decided {
		err = &CompileError{Output: unclear.Why}
	}
	return p, err
}

func (b *Builder) build(ctx context.Context, s *Source) (*Program, error) {
	if s.terms.refused != "" {
		return nil, &CompileError{Output: s.terms.refused}
	}
	if s.terms.unread != nil {
		return nil, s.terms.unread
	}
	if s.terms.unclear != nil {
		return nil, s.terms.unclear
	}
	if s.handed != nil {
		return &Program{Language: Outputs, outputs: s.handed}, nil
	}
	if s.sum != "" {
		return b.buildBinary(s)
	}
	if s.empty {
		return nil, &CompileError{Output: "the source is empty"}
	}
	l := b.languageOf(s)
	for _, file := range s.sources(l) {
		// gcc, javac and rustc read options from the file x if an argument is @x. ./@x does not
		// prevent that, because gcc passes the name without its folder to its subprograms.
		if strings.HasPrefix(file, "@") || strings.HasPrefix(path.Base(file), "@") {
			return nil, &CompileError{Output: file + ": compilers read options from a file if its argument begins with @ (hint: rename it)"}
		}
		if name := quote.Line(file); name != file { // compilers print it as it is
			return nil, &CompileError{Output: name + ": a name with a control character (hint: rename it)"}
		}
	}
	t, err := b.resolve(ctx, s.Language)
	if err != nil {
		return nil, err
	}
	key := b.key(s, l, t)
	tally.Add(tally.Build, string(key))
	p := &Program{Language: s.Language, Key: key}
	if p.entry, err = b.options.Cache.Get(key); err != nil {
		return nil, err
	}
	if p.Cached = p.entry != nil; !p.Cached {
		if refused := b.knownRefusal(s, key, t); refused != nil {
			return nil, refused
		}
		start := time.Now()
		p.entry, err = b.options.Cache.Put(key, func(dir string) error {
			err := b.compile(ctx, s, l, t, dir)
			if compile := (*CompileError)(nil); errors.As(err, &compile) {
				if full := b.options.Cache.Full(); full != nil {
					return full // the compiler had no disk space, for which the submission is not to blame
				}
			}
			return err
		})
		if err != nil {
			if compile := (*CompileError)(nil); errors.As(err, &compile) {
				compile.Time = time.Since(start)
				if broken := b.checkTools(ctx, s, b.language(s.Language), t); broken != nil {
					return nil, broken
				}
				b.recordRefusal(ctx, s, l, t, key, compile)
			}
			return nil, err
		}
		p.Time = time.Since(start)
	}
	if err := b.finish(p, s, l, t); err != nil {
		return nil, err
	}
	return p, nil
}

// Reopen opens p again, a closed program that was built from s. If it cannot open the same program,
// for example because an executable was replaced, it returns an error.
func (b *Builder) Reopen(ctx context.Context, s *Source, p *Program) (*Program, error) {
	if s.sum == "" {
		again, err := b.Build(ctx, s)
		if err == nil && again.Key != p.Key {
			again.Close()
			err = fmt.Errorf("%s: its toolchain changed during the judging (hint: judge it again)", s.Name)
		}
		return again, err
	}
	again := &Program{Language: Binary, Key: p.Key, Cached: true}
	var err error
	if again.entry, err = b.options.Cache.Get(p.Key); err != nil {
		return nil, err
	}
	if again.entry == nil {
		if again.entry, err = b.options.Cache.Put(p.Key, func(dir string) error { return keepBinary(dir, s, p.Key) }); err != nil {
			return nil, err
		}
	}
	if err := b.finish(again, s, Language{}, &toolchain{}); err != nil {
		return nil, err
	}
	return again, nil
}

// Key returns the cache key of the program of a source, which need not have been built. The key
// covers everything that can change the program's behaviour. It is "" for a source that was
// rejected or could not be read, or that holds outputs.
func (b *Builder) Key(ctx context.Context, s *Source) (cache.Key, error) {
	if s.terms.refused != "" || s.terms.unread != nil || s.terms.unclear != nil || s.handed != nil {
		return "", nil
	}
	if s.sum != "" {
		return s.sum, nil
	}
	t, err := b.resolve(ctx, s.Language)
	if err != nil {
		return "", err
	}
	return b.key(s, b.languageOf(s), t), nil
}

func (b *Builder) key(s *Source, l Language, t *toolchain) cache.Key {
	h := cache.NewHasher("build 4")
	h.Text(t.Version, strconv.FormatBool(l.Keep == nil))
	lists(h, l.Build, l.Env, l.mountPatterns(), l.Keep)
	if t.Venv != "" {
		h.Text(t.Venv)
	}
	if c := b.compiler(s); c.CPU != b.options.Timeout || c.Memory != b.options.Memory {
		h.Text(c.CPU.String(), c.Memory.String())
	}
	s.key(h)
	return h.Key()
}

// lists adds lists to h, each with its length, so that different sequences of lists have different
// hashes.
func lists(h *cache.Hasher, several ...[]string) {
	for _, list := range several {
		h.Text(strconv.Itoa(len(list)))
		h.Text(list...)
	}
}

// finish prepares a stored program for running. If it fails, it closes the program.
func (b *Builder) finish(p *Program, s *Source, l Language, t *toolchain) error {
	p.env = t.environment(l)
	if s.Language != Scripts { // the run command of scripts links to the files itself
		p.files = s.data(l)
	}
	if len(l.Run) == 0 {
		// The cache has checked the file just now, but the program may run much later.
		path := p.entry.Path(exeName)
		exe, err := content.File(path, func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			p.entry.Close()
			return fmt.Errorf("cache: %w", err)
		}
		p.image, p.args = func() (*os.File, error) { return sandbox.Executable(exe.Reader()) }, []string{"/w/program"}
		for _, library := range otherLibraries(path, libraryFolders()) {
			p.mounts = append(p.mounts, sandbox.Mount{Source: library, Target: library})
		}
		return nil
	}
	folder, err := os.Stat(p.entry.Path("."))
	if err != nil {
		p.entry.Close()
		return fmt.Errorf("cache: %w", err)
	}
	version := fmt.Sprint(system.IdentityOf(folder).Inode, folder.ModTime().UnixNano())
	p.mounts = append([]sandbox.Mount{{Source: p.entry.Path("."), Target: buildDir, Version: version}}, t.mounts(l.Run)...)
	main, err := s.startClass(p.entry.Path("."))
	if err != nil {
		p.entry.Close()
		return fmt.Errorf("cache: %w", err)
	}
	p.args, p.main, p.stem = expand(l.Run, t, nil), main, stem(s.main)
	if s.Language == Checktestdata {
		p.image = ownExecutable
	}
	return nil
}

// expand returns a command with the path of its tool and the values of its placeholders. A
// placeholder that is a whole argument becomes one argument for each value. A value may contain
// text that looks like a placeholder.
func expand(command []string, t *toolchain, values map[string][]string) []string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, name, strings.Join(value, " "))
	}
	fill := strings.NewReplacer(pairs...)
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
		list = append(list, fill.Replace(arg))
	}
	return list
}

func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// argument returns the argument for a file. If its name begins with a dash, ./ precedes it, so that
// no tool reads it as an option.
func argument(file string) string {
	if strings.HasPrefix(file, "-") {
		return "./" + file
	}
	return file
}
