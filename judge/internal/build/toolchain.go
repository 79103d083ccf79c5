package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// toolchain holds the tools of a language on this machine.
type toolchain struct {
	Tools   map[string]string // absolute paths by the first word of a command; never that of a shim
	Root    string            // toolchain folder of the tool found last; "" if it has no folder of its own
	Roots   []string          // toolchain folders of all tools
	Version string            // output of the version command
	Venv    string            // folder of the virtual environment of Python from which the interpreter was taken; "" if it is none

	patterns []string // glob patterns of the host paths to mount besides the tools
	globbed  sync.Once
	found    []string // the paths that match patterns, after globbed

	check   sync.Mutex
	checked bool  // whether broken is set
	broken  error // a *MissingError if the toolchain does not compile a correct program
}

// MissingError reports that a language's compiler or interpreter is not installed or does not work,
// such as a shim of a version manager without a version, or an incomplete installation.
type MissingError struct {
	Language string
	Tool     string // the first word of the command
	Package  string // the language's Package
	Problem  string // how it fails, in one line; "" if it is not installed
	Output   string // output of a compiler that rejects a correct program; else ""
}

func (e *MissingError) Error() string {
	if e.Problem != "" {
		return fmt.Sprintf("language %s: %s (hint: repair it, or set languages.%s in runner.yaml)", e.Language, e.Problem, e.Language)
	}
	install := "install it"
	switch {
	case strings.HasPrefix(e.Package, "https://"):
		install += " from " + e.Package + ", because Debian's is too old"
	case e.Package != "":
		install += ", on Debian with " + e.Package
	}
	return fmt.Sprintf("language %s: %s not found (hint: %s, or set languages.%s in runner.yaml)", e.Language, e.Tools(), install, e.Language)
}

// Tools returns the name of the missing tool, or of the alternatives.
func (e *MissingError) Tools() string { return strings.ReplaceAll(e.Tool, "|", " or ") }

// everything lists the mounts for a language whose Mounts are nil.
var everything = []string{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", alternatives}

// alternatives is the folder through which links lead to what Debian has in several versions, such as the
// libraries of numpy.
const alternatives = "/etc/alternatives"

// systemRoots lists the folders of system-wide installations.
var systemRoots = []string{"/usr/", "/bin/", "/lib/"}

func isSystem(path string) bool {
	for _, root := range systemRoots {
		if strings.HasPrefix(path, root) {
			return true
		}
	}
	return false
}

// ownRoot returns the folder of the toolchain to which a binary belongs, or "" if that folder also
// holds other programs or a user's files.
func ownRoot(binary string) string {
	bin, root := filepath.Dir(binary), filepath.Dir(filepath.Dir(binary))
	home, _ := os.UserHomeDir() // after an error "", which equals no root
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real // the binary's path has no symbolic links either
	}
	switch {
	case filepath.Base(bin) != "bin":
		return ""
	case filepath.Dir(root) == "/", filepath.Dir(root) == "/home": // such as /usr, /opt and a user's home
		return ""
	case root == "/usr/local", root == home, filepath.Base(root) == ".local":
		return ""
	}
	return root
}

// resolve finds the tools of a language, once for each Builder. It searches outside the jail,
// because tools may be symbolic links or shims, and in folders that only their owner can enter. A
// system-wide toolchain has precedence over one in a home folder.
func (b *Builder) resolve(ctx context.Context, name string) (*toolchain, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.resolveLocked(ctx, name)
}

// resolveLocked is like resolve. The caller must hold b.mu.
func (b *Builder) resolveLocked(ctx context.Context, name string) (*toolchain, error) {
	if t := b.toolchains[name]; t != nil {
		return t, nil
	}
	if name == Checktestdata {
		t, err := interpreter()
		if err == nil {
			b.toolchains[name] = t
		}
		return t, err
	}
	l := b.language(name)
	t := &toolchain{Tools: map[string]string{}}
	for _, command := range [][]string{l.Build, l.Run, l.Version} {
		if len(command) == 0 || strings.Contains(command[0], "{") {
			continue
		}
		path, err := b.find(ctx, name, command[0], l, t)
		if err != nil {
			return nil, err
		}
		t.Tools[command[0]] = path
		if t.Root != "" && !slices.Contains(t.Roots, t.Root) {
			t.Roots = append(t.Roots, t.Root)
		}
	}
	patterns := l.mountPatterns()
	for _, pattern := range patterns {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("language %s: mount %q: %w", name, pattern, err)
		}
	}
	t.patterns = patterns
	if len(l.Version) > 0 {
		version, err := b.version(ctx, t.Tools[l.Version[0]], l)
		if err != nil {
			return nil, broken(name, l.Version[0], err)
		}
		t.Version = version
	}
	if name == Scripts {
		if err := b.addScriptTools(ctx, t); err != nil {
			return nil, err
		}
	}
	b.toolchains[name] = t
	return t, nil
}

// find returns the path of the tool that the first word of a command names, and sets t.Root.
func (b *Builder) find(ctx context.Context, language, word string, l Language, t *toolchain) (string, error) {
	for tool := range strings.SplitSeq(word, "|") {
		path, err := b.findTool(ctx, language, tool, l, t)
		if path != "" || err != nil {
			return path, err
		}
	}
	return "", &MissingError{Language: language, Tool: word, Package: l.Package}
}

// findTool is like find for one of the alternatives. It returns "" if the tool is not found.
func (b *Builder) findTool(ctx context.Context, language, tool string, l Language, t *toolchain) (string, error) {
	for _, root := range []string{t.Venv, t.Root} {
		if path := filepath.Join(root, "bin", tool); root != "" && executable(path) {
			return path, nil
		}
	}
	path, real := lookUp(tool)
	if path == "" {
		return "", nil
	}
	if venv := venvOf(path); venv != "" && len(l.Root) > 0 {
		base, err := b.root(ctx, path, tool, l)
		if err != nil {
			return "", broken(language, tool, err)
		}
		t.Venv, t.Root = venv, ownRoot(filepath.Join(base, "bin", tool))
		return path, nil
	}
	root := ownRoot(real)
	if isSystem(real) && (root == "" || filepath.Base(real) == filepath.Base(tool)) {
		// Return the path by which it was found, because some executables behave differently under
		// different names.
		t.Root = root
		return path, nil
	}
	if _, ok := readDistribution(real); !ok && len(l.Root) > 0 {
		// Run the root command, because the file may be a shim.
		program := l.Root[0]
		if program == tool {
			program = path
		}
		root, err := b.root(ctx, program, tool, l)
		if err != nil {
			return "", broken(language, tool, err)
		}
		if path := filepath.Join(root, "bin", tool); executable(path) {
			t.Root = ownRoot(path)
			if path, err = filepath.EvalSymlinks(path); err == nil {
				return path, nil
			}
		}
	}
	t.Root = root
	return real, nil
}

// broken turns a *toolError into a *MissingError, and adds the language to other errors.
func broken(language, tool string, err error) error {
	if failure, ok := errors.AsType[*toolError](err); ok {
		return &MissingError{Language: language, Tool: tool, Problem: failure.Error()}
	}
	return fmt.Errorf("language %s: %w", language, err)
}

// toolError reports that a tool of the host failed.
type toolError struct {
	command string
	err     error
	output  string // first line that the tool printed
}

func (e *toolError) Error() string {
	text := fmt.Sprintf("%s: %v", e.command, e.err)
	if e.output != "" {
		text += ": " + e.output
	}
	return text
}

// lookUp searches PATH for a command, and returns its path and the file to which symbolic links
// lead from there. A system-wide command has precedence, unless a virtual environment of Python comes first. lookUp skips relative folders in PATH,
// because other users may be able to write there.
func lookUp(tool string) (path, real string) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		candidate := filepath.Join(dir, tool)
		if filepath.IsAbs(tool) {
			candidate = tool
		}
		if !filepath.IsAbs(candidate) || !executable(candidate) {
			continue
		}
		file, err := filepath.EvalSymlinks(candidate)
		if err != nil {
			continue
		}
		if isSystem(file) || path == "" && venvOf(candidate) != "" {
			return candidate, file
		}
		if path == "" {
			path, real = candidate, file
		}
	}
	return path, real
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// hostCommand is like [exec.CommandContext] for tools that start other processes: when ctx ends,
// all of them are killed. If the judge dies, the kernel kills the tool, but not its children.
func hostCommand(ctx context.Context, tool string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, tool, args...)
	system.Group(cmd)
	return cmd
}

// hostOutput runs a command of the toolchain, which is trusted, outside the jail and returns its
// output. The command has the user's environment with env added. It runs in /, because a go.mod or
// the like in the working directory could select another version. The error is a *toolError if the
// tool is to blame, and otherwise a failure of the judge.
func hostOutput(ctx context.Context, tool string, args, env []string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := hostCommand(asked, tool, args...)
	cmd.Dir = "/"
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	command := tool + " " + strings.Join(args, " ")
	_, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case asked.Err() != nil:
		err = fmt.Errorf("did not exit within %v", toolTimeout)
	case !ended && !slices.ContainsFunc(notExecutable, func(e error) bool { return errors.Is(err, e) }):
		return "", fmt.Errorf("%s: %w", command, err)
	}
	return "", &toolError{command, err, versionLine(out.String())}
}

// toolTimeout is the wall time limit for a tool that prints its version. A virtual machine takes a
// second to start, and far more on a busy host.
const toolTimeout = 2 * time.Minute

// notExecutable lists the errors of starting a tool for which its file is to blame.
var notExecutable = []error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOEXEC, system.ErrLibrary, syscall.EISDIR}

// Mounts returns the host paths to mount besides the tools. It looks them up at the first call,
// because a program from the cache may need none, and large folders such as /usr/bin are read.
func (t *toolchain) Mounts() []string {
	t.globbed.Do(func() {
		for _, pattern := range t.patterns {
			found, _ := filepath.Glob(pattern) // the pattern is well-formed
			for _, path := range found {
				if _, err := os.Stat(path); err == nil { // skip dangling symbolic links
					t.found = append(t.found, path)
				}
			}
		}
	})
	return t.found
}

func (t *toolchain) mounts(command []string) []sandbox.Mount {
	paths := t.Mounts()
	paths = append(paths[:len(paths):len(paths)], t.Roots...)
	if t.Venv != "" { // not all of it: a folder may be an environment, and hold other files of the user
		paths = append(paths, t.Packages(), filepath.Join(t.Venv, venvFile))
	}
	if len(command) > 0 && t.Tools[command[0]] != "" {
		paths = append(paths[:len(paths):len(paths)], t.Tools[command[0]])
	}
	var list []sandbox.Mount
	for _, path := range paths {
		list = append(list, sandbox.Mount{Source: path, Target: path})
	}
	return list
}

func (t *toolchain) environment(l Language) []string {
	path := "/usr/local/bin:/usr/bin:/bin"
	for _, root := range slices.Backward(t.Roots) {
		path = filepath.Join(root, "bin") + ":" + path
	}
	env := []string{
		"PATH=" + path, "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"ONLINE_JUDGE=1", "DOMJUDGE=1", // programs test for one of these to detect a judge
		"LSAN_OPTIONS=detect_leaks=0", // leak detection uses ptrace, which the jail denies
	}
	return append(env, l.Env...)
}

// Toolchain describes the commands of a language on this machine.
type Toolchain struct {
	Version    string   // first line that the version command prints; "" without such a command
	Build, Run []string // commands that begin with the path of the tool; nil if there is none
	Packages   string   // folder with the modules of a virtual environment; "" if the tools are of none
}

// Toolchain finds the commands of a language. The error is a [*MissingError] if they are not
// installed or do not work, and otherwise a failure of the judge.
func (b *Builder) Toolchain(ctx context.Context, language string) (Toolchain, error) {
	t, err := b.resolve(ctx, language)
	if err != nil {
		return Toolchain{}, err
	}
	l := b.options.Languages[language]
	return Toolchain{versionLine(t.Version), expand(l.Build, t, nil), expand(l.Run, t, nil), t.Packages()}, nil
}

// versionLine returns the first line of a version command's output that is neither blank nor a
// warning, such as Java's.
func versionLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "warning:") {
			return line
		}
	}
	return ""
}
