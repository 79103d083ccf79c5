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
)

// toolchain is a language's commands as this machine has them.
type toolchain struct {
	Tools   map[string]string // first word of a command to absolute path, never that of a shim
	Root    string            // its folder, when it has one of its own
	Roots   []string          // the folders of all of its tools that have one
	Version string            // what the version command printed
	Mounts  []string          // host paths to show besides the tools

	proof  sync.Mutex
	proved bool  // it is known whether it compiles a right program
	broken error // a *MissingError if it does not
}

// MissingError reports that a language's compiler or interpreter is not installed, or that
// it is there and does not work: the shim of a version manager that has no version, or what
// an interrupted installation has left.
type MissingError struct {
	Language string
	Tool     string // the first word of its command
	Package  string // as in Language
	Says     string // what it says when it is asked, in one line; "" when it is not there
	Words    string // all that a compiler says which refuses a right program; else ""
}

func (e *MissingError) Error() string {
	if e.Says != "" {
		return fmt.Sprintf("language %s: %s (hint: mend it, or set languages.%s in runner.yaml)", e.Language, e.Says, e.Language)
	}
	install := "install it"
	if e.Package != "" {
		install += ", on Debian with " + e.Package
	}
	return fmt.Sprintf("language %s: %s not found (hint: %s, or set languages.%s in runner.yaml)", e.Language, e.Tools(), install, e.Language)
}

// Tools names what was looked for: one tool, or those of which one would do.
func (e *MissingError) Tools() string { return strings.ReplaceAll(e.Tool, "|", " or ") }

// everything is what the jail shows for a language that does not say what it needs.
var everything = []string{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives"}

// systemRoots hold what an administrator installed, for everybody.
var systemRoots = []string{"/usr/", "/bin/", "/lib/"}

func isSystem(path string) bool {
	for _, root := range systemRoots {
		if strings.HasPrefix(path, root) {
			return true
		}
	}
	return false
}

// ownRoot returns the folder of the toolchain that a binary lies in, "" when that
// is one which other programs or somebody's own files share.
func ownRoot(binary string) string {
	bin, root := filepath.Dir(binary), filepath.Dir(filepath.Dir(binary))
	home, _ := os.UserHomeDir() // "" is no root either
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real // as that of the binary is
	}
	switch {
	case filepath.Base(bin) != "bin":
		return ""
	case filepath.Dir(root) == "/", filepath.Dir(root) == "/home": // such as /usr, /opt and anybody's home
		return ""
	case root == "/usr/local", root == home, filepath.Base(root) == ".local":
		return ""
	}
	return root
}

// resolve finds a language's commands. Toolchains may be reached through symbolic
// links or shell shims and may lie in folders that only their owner can enter:
// they are looked up here, once, outside the jail. A system one is preferred to
// one in somebody's home.
func (b *Builder) resolve(ctx context.Context, name string) (*toolchain, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.look(ctx, name)
}

// look is resolve for those who hold the lock.
func (b *Builder) look(ctx context.Context, name string) (*toolchain, error) {
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
	patterns := l.Mounts
	if patterns == nil {
		patterns = everything
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("language %s: mount %q: %w", name, pattern, err)
		}
		for _, path := range found {
			if _, err := os.Stat(path); err == nil { // not a link to nothing
				t.Mounts = append(t.Mounts, path)
			}
		}
	}
	if len(l.Version) > 0 {
		version, err := b.version(ctx, t.Tools[l.Version[0]], l)
		if err != nil {
			return nil, broken(name, l.Version[0], err)
		}
		t.Version = version
	}
	if name == Scripts {
		if err := b.borrow(ctx, t); err != nil {
			return nil, err
		}
	}
	b.toolchains[name] = t
	return t, nil
}

// find returns the path of the first word of a command, and sets t.Root.
func (b *Builder) find(ctx context.Context, language, word string, l Language, t *toolchain) (string, error) {
	for tool := range strings.SplitSeq(word, "|") {
		path, err := b.findTool(ctx, language, tool, l, t)
		if path != "" || err != nil {
			return path, err
		}
	}
	return "", &MissingError{Language: language, Tool: word, Package: l.Package}
}

// findTool is find for one tool. It returns "" when it is nowhere.
func (b *Builder) findTool(ctx context.Context, language, tool string, l Language, t *toolchain) (string, error) {
	if t.Root != "" {
		if path := filepath.Join(t.Root, "bin", tool); executable(path) {
			return path, nil
		}
	}
	path, real := lookUp(tool)
	if path == "" {
		return "", nil
	}
	root := ownRoot(real)
	if isSystem(real) && (root == "" || filepath.Base(real) == filepath.Base(tool)) {
		// Called by its own name: some are many programs under as many links.
		t.Root = root
		return path, nil
	}
	if _, ok := readDistribution(real); !ok && len(l.Root) > 0 {
		// Printed by the toolchain itself, since the file found may be a shim.
		ask := l.Root[0]
		if ask == tool {
			ask = path
		}
		root, err := b.root(ctx, ask, tool, l)
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

// broken returns what became of asking a tool: a *MissingError unless the judge failed.
func broken(language, tool string, err error) error {
	if said, ok := errors.AsType[*toolError](err); ok {
		return &MissingError{Language: language, Tool: tool, Says: said.Error()}
	}
	return fmt.Errorf("language %s: %w", language, err)
}

// toolError reports that a tool of the host does not do what it is asked.
type toolError struct {
	command string
	err     error
	said    string // the first line that it printed
}

func (e *toolError) Error() string {
	text := fmt.Sprintf("%s: %v", e.command, e.err)
	if e.said != "" {
		text += ": " + e.said
	}
	return text
}

// lookUp finds a command by PATH, the first that belongs to the system or else the
// first, and returns the path and the file it leads to. Folders that PATH names from
// the working folder on are left out: what lies there is anybody's.
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
		if isSystem(file) {
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

// hostCommand is exec.CommandContext for tools that start others: when ctx ends, all
// of them end. When the judge dies the tool does, and what it started ends with the
// step it is at.
func hostCommand(ctx context.Context, tool string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// hostOutput runs a command of the toolchain itself, which is trusted, outside any
// jail, and returns what it printed. It sees the user's environment with env added,
// but not the working folder: a go.mod or the like there would choose the version.
// The error is a *toolError if the tool is to blame, and not the want of something else.
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
		err = fmt.Errorf("gave no answer in %v", toolTimeout)
	case !ended && !slices.ContainsFunc(notExecutable, func(e error) bool { return errors.Is(err, e) }):
		return "", fmt.Errorf("%s: %w", command, err)
	}
	return "", &toolError{command, err, versionLine(out.String())}
}

// toolTimeout is how long a tool may take to tell its version: a virtual machine takes a
// second, and far more on a busy host.
const toolTimeout = 2 * time.Minute

// notExecutable are the reasons why a file cannot be executed that lie with it.
var notExecutable = []error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOEXEC, syscall.ELIBBAD, syscall.EISDIR}

// mounts are what the jail must show for a command of this toolchain.
func (t *toolchain) mounts(command []string) []sandbox.Mount {
	paths := t.Mounts
	paths = append(paths[:len(paths):len(paths)], t.Roots...)
	if len(command) > 0 && t.Tools[command[0]] != "" {
		paths = append(paths[:len(paths):len(paths)], t.Tools[command[0]])
	}
	var list []sandbox.Mount
	for _, path := range paths {
		list = append(list, sandbox.Mount{Source: path, Target: path})
	}
	return list
}

// environment is what all programs and compilers get.
func (t *toolchain) environment(l Language) []string {
	path := "/usr/local/bin:/usr/bin:/bin"
	for _, root := range slices.Backward(t.Roots) {
		path = filepath.Join(root, "bin") + ":" + path
	}
	env := []string{
		"PATH=" + path, "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"ONLINE_JUDGE=1", "DOMJUDGE=1", // programs ask for one of them, or for both, to see where they are
		"LSAN_OPTIONS=detect_leaks=0", // a search for leaks traces its own process, which the jail denies
	}
	return append(env, l.Env...)
}

// Toolchain is what a language's commands are on this machine.
type Toolchain struct {
	Version    string   // the first line of what the version command prints; "" without one
	Build, Run []string // with the path of the tool that was found as the first word; nil if there is none
}

// Toolchain finds the commands of a language. The error is a *MissingError when they
// are not installed or do not work, and otherwise the judge's own.
func (b *Builder) Toolchain(ctx context.Context, language string) (Toolchain, error) {
	t, err := b.resolve(ctx, language)
	if err != nil {
		return Toolchain{}, err
	}
	l := b.options.Languages[language]
	return Toolchain{versionLine(t.Version), expand(l.Build, t, nil), expand(l.Run, t, nil)}, nil
}

// versionLine returns the first line that says something of what a version command
// prints. A virtual machine may have a warning before it.
func versionLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "warning:") {
			return line
		}
	}
	return ""
}
