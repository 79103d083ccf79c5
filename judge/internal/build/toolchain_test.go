package build

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
)

// executables creates a folder of executable shell scripts, and returns its path.
func executables(t *testing.T, scripts map[string]string) string {
	t.Helper()
	files := map[string]string{}
	for name, text := range scripts {
		files[name] = "#!/bin/sh\n" + text + "\n"
	}
	dir := write(t, "host", files)
	for name := range scripts {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// installed returns the path of a tool in the system's folders, and skips the test if there is none.
func installed(t *testing.T, tool string) string {
	t.Helper()
	for _, dir := range []string{"/usr/bin", "/bin"} {
		if path := filepath.Join(dir, tool); executable(path) {
			return path
		}
	}
	t.Skipf("not checked: toolchains of the system (no %s)", tool)
	return ""
}

func TestResolve(t *testing.T) {
	const usual = "/usr/local/bin:/usr/bin:/bin"
	dir := executables(t, map[string]string{
		"home/bin/xcc": "", "home/bin/sh": "",
		"shims/xcc":          `[ "$1" = --root ] && echo "${0%/shims/*}/versions/2"`,
		"versions/2/bin/xcc": "", "versions/2/bin/xrun": "",
		"broken/xcc": "echo no version is set >&2; echo more; exit 1",
		"lost/xcc":   "echo /nowhere", "says-home/xcc": `echo "${0%/says-home/*}/user"`, "user/bin/xcc": "", "user/.local/bin/xcc": "",
	})
	for name, text := range map[string]string{"plain/xcc": "not executable", "folder/xcc/readme": "", "script/xcc": "#!/no/such/shell\n"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "links"), 0o755), os.Symlink("../versions/2/bin/xcc", filepath.Join(dir, "links", "xcc"))); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Symlink("user", in("home-link")), os.Chmod(in("script/xcc"), 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(in("shims"))
	xcc := Language{Run: []string{"xcc", "{main}"}, Mounts: []string{}}
	shim := Language{Run: []string{"xcc", "{main}"}, Mounts: []string{}, Root: []string{"xcc", "--root"}}
	for _, tt := range []struct {
		why        string
		path       []string
		home       string // the home folder; "" means user
		l          Language
		tool, root string // path of the run command's tool, and root of the toolchain
		wantErr    string
	}{
		{why: "a system command has precedence, wherever it is in PATH", path: []string{in("home/bin"), "/usr/bin", "/bin"},
			l: Language{Run: []string{"sh", "{main}"}, Mounts: []string{}}, tool: installed(t, "sh")},
		{why: "no system command: one in a home folder, whose toolchain is mounted", path: []string{in("home/bin"), "/usr/bin"},
			l: xcc, tool: in("home/bin/xcc"), root: in("home")},
		{why: "the first in PATH wins", path: []string{in("versions/2/bin"), in("home/bin")},
			l: xcc, tool: in("versions/2/bin/xcc"), root: in("versions/2")},
		{why: "symbolic links are followed to the real file", path: []string{in("links")},
			l: xcc, tool: in("versions/2/bin/xcc"), root: in("versions/2")},
		{why: "a shim: the root command finds the real file", path: []string{in("shims"), "/usr/bin", "/bin"},
			l: shim, tool: in("versions/2/bin/xcc"), root: in("versions/2")},
		{why: "the root command prints a folder that does not exist: the file that PATH found", path: []string{in("lost")},
			l: shim, tool: in("lost/xcc")},
		{why: "the root command prints a home folder: the file alone is mounted", path: []string{in("says-home")},
			l: shim, tool: in("user/bin/xcc")},
		{why: "a home folder is not a toolchain: the file alone is mounted", path: []string{in("user/bin")},
			l: xcc, tool: in("user/bin/xcc")},
		{why: "a home folder behind a symbolic link is not a toolchain either", path: []string{in("user/bin")}, home: "home-link",
			l: xcc, tool: in("user/bin/xcc")},
		{why: "relative folders in PATH are skipped", path: []string{".", "", in("home/bin")},
			l: xcc, tool: in("home/bin/xcc"), root: in("home")},
		{why: "a .local folder is not a toolchain: the file alone is mounted", path: []string{in("user/.local/bin")},
			l: xcc, tool: in("user/.local/bin/xcc")},
		{why: "all commands come from the root of the first", path: []string{in("shims"), "/usr/bin", "/bin"},
			l: Language{Build: []string{"xcc"}, Run: []string{"xrun"}, Mounts: []string{}, Root: []string{"xcc", "--root"}}, tool: in("versions/2/bin/xrun"), root: in("versions/2")},
		{why: "files that cannot be executed are skipped", path: []string{in("plain"), in("folder"), in("home/bin")},
			l: xcc, tool: in("home/bin/xcc"), root: in("home")},
		{why: "an absolute name", path: []string{"/usr/bin"},
			l: Language{Run: []string{in("home/bin/xcc")}, Mounts: []string{}}, tool: in("home/bin/xcc"), root: in("home")},
		{why: "the first of the alternatives that exists", path: []string{in("home/bin"), in("versions/2/bin")},
			l: Language{Run: []string{"ycc|xrun|xcc", "{main}"}, Mounts: []string{}}, tool: in("versions/2/bin/xrun"), root: in("versions/2")},
		{why: "none of the alternatives", path: []string{in("home/bin")},
			l: Language{Run: []string{"ycc|zcc"}, Mounts: []string{}, Package: "gcc"}, wantErr: "language x: ycc or zcc not found (hint: install it, on Debian with gcc, or set languages.x in runner.yaml)"},
		{why: "a missing tool that Debian does not have", l: Language{Run: []string{"ycc"}, Mounts: []string{}, Package: "https://example.org/dl/"}, wantErr: "language x: ycc not found (hint: install it from https://example.org/dl/, because Debian's is too old, or set languages.x in runner.yaml)"},
		{why: "a command that the build makes", path: []string{"/usr/bin"},
			l: Language{Run: []string{"{exe}"}, Mounts: []string{}}},
		{why: "no such command", path: []string{in("plain"), in("folder")},
			l: xcc, wantErr: "language x: xcc not found (hint: install it, or set languages.x in runner.yaml)"},
		{why: "a shim that fails", path: []string{in("broken"), "/usr/bin", "/bin"},
			l: shim, wantErr: "language x: " + in("broken/xcc") + " --root: exit status 1: no version is set (hint: repair it, or set languages.x in runner.yaml)"},
		{why: "a shim whose interpreter does not exist", path: []string{in("script")},
			l: shim, wantErr: "language x: " + in("script/xcc") + " --root: fork/exec " + in("script/xcc") + ": no such file or directory (hint: repair it, or set languages.x in runner.yaml)"},
		{why: "a mount that is an invalid pattern", path: []string{in("home/bin")},
			l: Language{Run: []string{"xcc"}, Mounts: []string{"/opt/[x"}}, wantErr: `language x: mount "/opt/[x": syntax error in pattern`},
	} {
		t.Setenv("PATH", strings.Join(tt.path, ":"))
		t.Setenv("HOME", in(cmp.Or(tt.home, "user")))
		b := New(Options{Languages: map[string]Language{"x": tt.l}, Cache: newCache(t)})
		got, err := b.resolve(t.Context(), "x")
		if tt.wantErr != "" {
			var missing *MissingError
			if err == nil || err.Error() != tt.wantErr || errors.As(err, &missing) != strings.Contains(tt.wantErr, "in runner.yaml)") {
				t.Errorf("%s: got %v, want %s", tt.why, err, tt.wantErr)
			}
			continue
		}
		if err != nil || got.Tools[tt.l.Run[0]] != tt.tool || got.Root != tt.root {
			t.Errorf("%s: got %+v, %v, want %s of %q", tt.why, got, err, tt.tool, tt.root)
			continue
		}
		wantPath := usual
		if tt.root != "" {
			wantPath = filepath.Join(tt.root, "bin") + ":" + usual
		}
		if env := got.environment(tt.l); !slices.Contains(env, "PATH="+wantPath) || !slices.Contains(env, "ONLINE_JUDGE=1") || !slices.Contains(env, "DOMJUDGE=1") {
			t.Errorf("%s: programs get %q, want the PATH %s", tt.why, env, wantPath)
		}
		var shown []string
		for _, m := range got.mounts(tt.l.Run) {
			if m.Target != m.Source {
				t.Errorf("%s: mount %+v", tt.why, m)
			}
			shown = append(shown, m.Source)
		}
		want := slices.DeleteFunc([]string{tt.root, tt.tool}, func(path string) bool { return path == "" })
		if !slices.Equal(shown, want) {
			t.Errorf("%s: mounts %q, want %q", tt.why, shown, want)
		}
	}
}

// TestSeveralRoots checks that a compiler and a runtime may be installed in different folders.
func TestSeveralRoots(t *testing.T) {
	dir := executables(t, map[string]string{"one/bin/xcc": "", "two/bin/xrun": "echo run"})
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	t.Setenv("PATH", filepath.Join(one, "bin")+":"+filepath.Join(two, "bin"))
	l := Language{Build: []string{"xcc"}, Run: []string{"xrun"}, Version: []string{"xrun"}, Mounts: []string{}}
	got, err := New(Options{Languages: map[string]Language{"x": l}, Cache: newCache(t)}).resolve(t.Context(), "x")
	if err != nil || !slices.Equal(got.Roots, []string{one, two}) {
		t.Fatalf("got %+v, %v, want both folders", got, err)
	}
	if env := got.environment(l); env[0] != "PATH="+filepath.Join(one, "bin")+":"+filepath.Join(two, "bin")+":/usr/local/bin:/usr/bin:/bin" {
		t.Errorf("programs get %s", env[0])
	}
	for _, command := range [][]string{l.Build, l.Run} {
		if shown := got.mounts(command); len(shown) != 3 || shown[0].Source != one || shown[1].Source != two {
			t.Errorf("%q: mounts %v", command, shown)
		}
	}
}

func TestToolchain(t *testing.T) {
	dir := executables(t, map[string]string{"bin/xcc": `echo; echo "OpenJDK warning: x"; echo "  xcc 1.0  "; echo more`})
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/usr/bin:/bin")
	l := Language{Build: []string{"ycc|xcc", "{src}"}, Version: []string{"ycc|xcc"}}
	b := New(Options{Languages: map[string]Language{"x": l, "y": {Run: []string{"ycc"}}}, Cache: newCache(t)})
	got, err := b.Toolchain(t.Context(), "x")
	if err != nil || got.Version != "xcc 1.0" || len(got.Build) != 2 || got.Build[0] != filepath.Join(dir, "bin/xcc") || got.Build[1] != "{src}" || got.Run != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := b.Toolchain(t.Context(), "y"); !errors.As(err, new(*MissingError)) {
		t.Errorf("no such command: got %v", err)
	}
}

func TestOwnRoot(t *testing.T) {
	t.Setenv("HOME", "/srv/users/judge")
	for _, tt := range []struct{ why, binary, want string }{
		{"a toolchain", "/opt/go-1.26/bin/go", "/opt/go-1.26"},
		{"a toolchain below a home folder", "/home/alice/sdk/go/bin/go", "/home/alice/sdk/go"},
		{"a system folder", "/usr/bin/gcc", ""},
		{"/usr/local", "/usr/local/bin/gcc", ""},
		{"another user's home folder", "/home/alice/bin/python3", ""},
		{"the judge's home folder", "/srv/users/judge/bin/python3", ""},
		{"root's home folder", "/root/bin/python3", ""},
		{"a .local folder, in which pip and others install", "/srv/users/judge/.local/bin/tool", ""},
		{"a folder of several programs", "/opt/bin/tool", ""},
		{"the root of the host", "/bin/sh", ""},
		{"a binary that is not in a bin folder", "/opt/go-1.26/tool/go", ""},
	} {
		if got := ownRoot(tt.binary); got != tt.want {
			t.Errorf("%s: root of %s: %q, want %q", tt.why, tt.binary, got, tt.want)
		}
	}
}

// TestVersionElsewhere checks that the version command runs with the language's environment, and
// not in the user's working directory, where a go.mod may select another version.
func TestVersionElsewhere(t *testing.T) {
	dir := executables(t, map[string]string{"bin/xcc": `[ -e marker ] && echo "a folder of the user"; echo "$XCC $USERS in $PWD"`})
	if err := os.WriteFile(filepath.Join(dir, "marker"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/usr/bin:/bin")
	t.Setenv("USERS", "own")
	c := newCache(t)
	for _, env := range []string{"local", "other"} { // both with the same cache
		l := Language{Run: []string{"xcc"}, Version: []string{"xcc", "--version"}, Env: []string{"XCC=" + env}}
		tools, err := New(Options{Languages: map[string]Language{"x": l}, Cache: c}).resolve(t.Context(), "x")
		if want := env + " own in /\n"; err != nil || tools.Version != want {
			t.Errorf("got %+v, %v, want %q", tools, err, want)
		}
	}
}

func TestMountPatterns(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	installed(t, "sh")
	dir := write(t, "opt", map[string]string{"jdk-17/x": "", "jdk-21/x": "", "other/x": ""})
	if err := os.Symlink("nowhere", filepath.Join(dir, "jdk-22")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why    string
		mounts []string
		want   []string
	}{
		{"only paths that exist", []string{filepath.Join(dir, "jdk-*"), filepath.Join(dir, "missing")}, []string{filepath.Join(dir, "jdk-17"), filepath.Join(dir, "jdk-21")}},
		{"an empty list", []string{}, nil},
	} {
		l := Language{Run: []string{"sh"}, Mounts: tt.mounts}
		tools, err := New(Options{Languages: map[string]Language{"x": l}, Cache: newCache(t)}).resolve(t.Context(), "x")
		if _, err := os.Stat(alternatives); err == nil && len(tt.mounts) > 0 {
			tt.want = append(tt.want, alternatives)
		}
		if err != nil || !slices.Equal(tools.Mounts(), tt.want) {
			t.Errorf("%s: got %+v, %v, want %q", tt.why, tools, err, tt.want)
		}
	}
	l := Language{Run: []string{"sh"}}
	tools, err := New(Options{Languages: map[string]Language{"x": l}, Cache: newCache(t)}).resolve(t.Context(), "x")
	if err != nil || !slices.Contains(tools.Mounts(), "/usr") || slices.Contains(tools.Mounts(), "/etc") {
		t.Errorf("no list: got %+v, %v, want all system folders", tools, err)
	}
}

// TestVersionMemo checks that a version command runs once for each binary, not for each judge,
// because some take a second.
func TestVersionMemo(t *testing.T) {
	dir := executables(t, map[string]string{"bin/xcc": `echo run >> "$(dirname "$0")/log"; echo "xcc version 1"`})
	tool, log := filepath.Join(dir, "bin", "xcc"), filepath.Join(dir, "bin", "log")
	t.Setenv("PATH", filepath.Dir(tool)+":/usr/bin:/bin")
	c := newCache(t)
	l := Language{Run: []string{"xcc"}, Version: []string{"xcc", "--version"}}
	version := func(l Language) string {
		t.Helper()
		b := New(Options{Languages: map[string]Language{"x": l}, Cache: c}) // as a new process would
		tools, err := b.resolve(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		return tools.Version
	}
	runs := func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "run\n")
	}
	if v, again := version(l), version(l); v != "xcc version 1\n" || again != v || runs() != 1 {
		t.Errorf("got %q and %q after %d runs, want the same text after one", v, again, runs())
	}
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho run >> "+log+"\necho xcc version 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if v := version(l); v != "xcc version 2\n" || runs() != 2 {
		t.Errorf("after an upgrade: got %q after %d runs", v, runs())
	}
	other := l
	other.Version = []string{"xcc", "-v"}
	if version(other); runs() != 3 {
		t.Errorf("another version command: %d runs, want 3", runs())
	}
	answers, err := filepath.Glob(filepath.Join(c.Dir(), "entries", "*", "files", answerName))
	if err != nil || len(answers) != 3 {
		t.Fatalf("the cache has the outputs %v, %v, want three", answers, err)
	}
	for _, file := range answers {
		if err := os.WriteFile(file, []byte("xcc version 3\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if v := version(l); v != "xcc version 2\n" || runs() != 4 {
		t.Errorf("after the cached output was damaged: got %q after %d runs, want another run", v, runs())
	}
	if version(l); runs() != 4 {
		t.Errorf("the damaged output was not replaced: %d runs", runs())
	}

	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho license expired >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = New(Options{Languages: map[string]Language{"x": l}, Cache: c}).resolve(t.Context(), "x")
	if want := "language x: " + tool + " --version: exit status 3: license expired (hint: repair it, or set languages.x in runner.yaml)"; err == nil || err.Error() != want {
		t.Errorf("a version command that fails: got %v, want %s", err, want)
	}
}

func TestBuildKey(t *testing.T) {
	dir := executables(t, map[string]string{"1/xcc": "echo 1", "2/xcc": "echo 2", "3/xcc": "echo 1"})
	key := func(version string, l Language) cache.Key {
		t.Helper()
		t.Setenv("PATH", filepath.Join(dir, version)+":/usr/bin:/bin")
		languages := map[string]Language{"x": l}
		b := New(Options{Languages: languages, Cache: newCache(t)})
		s, err := Read("a", "a.x", strings.NewReader("text"), "", languages)
		if err != nil {
			t.Fatal(err)
		}
		k, err := b.Key(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	l := Language{Match: []string{".x"}, Build: []string{"xcc", "-O2", "{src}"}, Run: []string{"xcc", "{main}"}, Version: []string{"xcc"}}
	base := key("1", l)
	if key("3", l) != base {
		t.Error("the same version in another folder must have the same key")
	}
	if key("2", l) == base {
		t.Error("another version must change the key")
	}
	flags, env, runs, sees, blind, moved := l, l, l, l, l, l
	sees.Mounts = []string{"/opt/include"}
	blind.Mounts = []string{}
	moved.Build, moved.Env = []string{"xcc", "-O2"}, []string{"{src}"}
	flags.Build = []string{"xcc", "-O1", "{src}"}
	env.Env = []string{"A=1"}
	runs.Run = []string{"xcc", "-v", "{main}"}
	if key("1", flags) == base || key("1", env) == base {
		t.Error("other flags or another environment must change the key")
	}
	if key("1", sees) == base || key("1", blind) == base || key("1", sees) == key("1", blind) {
		t.Error("other mounts must change the key, because they may contain other headers")
	}
	if key("1", moved) == base {
		t.Error("an argument moved to the environment must change the key")
	}
	if key("1", runs) != base {
		t.Error("another run command must not change the key")
	}
}

// TestHostCommand checks that a tool is killed together with the processes that it has started.
func TestHostCommand(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := hostCommand(ctx, "/bin/sh", "-c", "sleep 1000 & (sleep 1000 &) ; echo ready; wait")
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if _, err := read.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("the tool succeeded although it was killed")
	}
	if n, err := read.Read(make([]byte, 1)); n != 0 || err == nil { // Read returns when the last process has ended
		t.Errorf("got %d bytes, %v", n, err)
	}
}
