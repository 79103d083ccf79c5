//go:build linux

package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// sleeping returns a request that runs a script in the host's sh, such as one that sleeps.
func sleeping(script string) request {
	return request{Program: program{
		Args: []text{text("/bin/sh"), text("-c"), text(script)}, Mounts: []mount{{Path: "/bin"}, {Path: "/usr"}},
		Limits: limits.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 16},
	}}
}

// blob returns a sealed file.
func blob(t *testing.T, data string) *os.File {
	t.Helper()
	f, err := sandbox.MemFile([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// sparse returns a sealed file that has a size and takes no memory.
func sparse(t *testing.T) *os.File {
	t.Helper()
	fd, err := unix.MemfdCreate("sparse", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "sparse")
	t.Cleanup(func() { f.Close() })
	if err := f.Truncate(1 << 61); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		t.Fatal(err)
	}
	return f
}

func encoded(t *testing.T, r request) []byte {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRefused sends requests that no caller may send: the service refuses each with a message or
// closes the connection, and continues.
func TestRefused(t *testing.T) {
	many := plenty
	many.Connections = 100
	path, _, _ := serve(t, many)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := os.Open(secret)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	fd, err := unix.MemfdCreate("open", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	unsealed := os.NewFile(uintptr(fd), "open")
	defer unsealed.Close()
	folder := sandbox.Folder{Path: "/check", Size: limits.MiB, Mode: 0o777}
	change := func(f func(p *program)) request {
		r := sleeping("true")
		f(&r.Program)
		return r
	}
	asked := func(f func(r *request)) request {
		r := sleeping("true")
		f(&r)
		return r
	}
	show := func(path string) request {
		return change(func(p *program) { p.Mounts = append(p.Mounts, mount{Path: path}) })
	}
	put := func(name string) request {
		return change(func(p *program) { p.Folder, p.In = folder, []file{{Name: text(name), Mode: 0o644}} })
	}
	for _, tt := range []struct {
		why   string
		r     request
		files []*os.File // nil sends one sealed empty file
		want  string     // "" ends the connection
	}{
		{"a folder of another account", show("/root"), nil, "refuses: to show /root"},
		{"a file that the caller cannot read", show("/etc/shadow"), nil, "refuses: to show"},
		{"the host's /proc", show("/proc"), nil, "refuses: to show"},
		{"the whole host", show("/"), nil, "refuses: to show"},
		{"a path with ..", show("/usr/../root"), nil, "refuses: to show"},
		{"a path that contains a mount option", show("/usr,rw"), nil, "refuses: a mount"},
		{"a path with a zero byte", show("/usr\x00"), nil, "refuses: a mount"},
		{"the same twice", show("/usr"), nil, "refuses: two folders"},
		{"a folder that is a part of the jail", change(func(p *program) { p.Folder = sandbox.Folder{Path: "/proc", Size: limits.MiB, Mode: 0o777} }), nil, "refuses: a folder"},
		{"a folder outside of the jail", change(func(p *program) { p.Folder = sandbox.Folder{Path: "/../x", Size: limits.MiB, Mode: 0o777} }), nil, "refuses: a folder"},
		{"a folder without bounds", change(func(p *program) { p.Folder = sandbox.Folder{Path: "/check", Size: 1 << 50, Mode: 0o777} }), nil, "refuses: temporary"},
		{"a folder with the setuid bit", change(func(p *program) { p.Folder = folder; p.Folder.Mode = os.ModeSetuid | 0o777 }), nil, "refuses: a folder"},
		{"files sent for a folder that shows the host's", change(func(p *program) { p.Mounts[1] = mount{Path: "/usr", Sent: true} }), nil, "refuses: a folder of files"},
		{"a file outside of its folder", put("../../etc/passwd"), nil, "refuses: a file"},
		{"a file with an absolute path", put("/etc/passwd"), nil, "refuses: a file"},
		{"a file to copy out from outside of the folder", change(func(p *program) { p.Folder, p.Out = folder, []runner.CopyOut{{Name: "../../etc/shadow", Most: 10}} }), nil, "refuses: a copy"},
		{"no limit of time", change(func(p *program) { p.Limits.Wall = 0 }), nil, "refuses: limits"},
		{"more of standard error than fits into a reply", change(func(p *program) { p.StderrMost = 1 << 40 }), nil, "refuses: to keep"},
		{"negative CPU time", change(func(p *program) { p.Limits.CPU = -1 }), nil, "refuses: limits"},
		{"all processes", change(func(p *program) { p.Limits.Processes = 1 << 30 }), nil, "refuses: limits"},
		{"all memory", change(func(p *program) { p.Limits.Memory = 1 << 50 }), nil, "one user may have"},
		{"to start in a folder of /proc", change(func(p *program) { p.Dir = "/proc/self/cwd" }), nil, "refuses: to start"},
		{"to execute something of /proc", change(func(p *program) { p.Args[0] = text("/proc/self/exe") }), nil, "refuses: to execute"},
		{"to execute by a path with ..", change(func(p *program) { p.Args[0] = text("/usr/../proc/self/exe") }), nil, "refuses: to execute"},
		{"no arguments", change(func(p *program) { p.Args = nil }), nil, "refuses: 0 arguments"},
		{"a file that can change", sleeping("true"), []*os.File{unsealed}, "refuses: a descriptor"},
		{"a file of the host", sleeping("true"), []*os.File{plain}, "refuses: a descriptor"},
		{"a file of the host to execute", change(func(p *program) { p.Exe = true }), []*os.File{plain, blob(t, "")}, "refuses: a descriptor"},
		{"less than was announced", change(func(p *program) { p.Files = []file{{Name: text("a"), Size: 10}} }), []*os.File{blob(t, "123")}, "contents of 3 bytes"},
		{"sizes whose sum overflows", change(func(p *program) {
			p.Files = []file{{Name: text("a"), Size: 1<<63 - 1}, {Name: text("b"), Size: 1<<63 - 1}}
		}), nil, "refuses: contents of a negative size"},
		{"an input of a negative size", asked(func(r *request) { r.Input = -1 }), nil, "refuses: an input of -1 bytes"},
		{"a grace of a day", asked(func(r *request) { r.Grace = 24 * time.Hour }), nil, "refuses: a grace of 24h"},
		{"more CPUs than there are", asked(func(r *request) { r.CPUs = make([]int, 5000) }), nil, "refuses: 5000 CPUs"},
		{"files whose sizes add up to an overflow", change(func(p *program) { p.Exe = true }), []*os.File{sparse(t), sparse(t), sparse(t)}, "refuses: a file of"},
		{"a descriptor too many", sleeping("true"), []*os.File{blob(t, ""), blob(t, "")}, "2 descriptors"},
		{"many descriptors", sleeping("true"), []*os.File{plain, plain, plain, plain, plain}, ""},
	} {
		c := connect(t, path)
		if tt.files == nil {
			tt.files = []*os.File{blob(t, "")}
		}
		if err := write(c, kindRequest, encoded(t, tt.r), tt.files...); err != nil && tt.want != "" {
			t.Fatal(err)
		}
		f, err := read(c, maxReply, 0)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: %q %s", tt.why, f.kind, f.text)
			}
			continue
		}
		var told reply
		if err := errors.Join(err, json.Unmarshal(f.text, &told)); err != nil || told.Failed == nil || !strings.Contains(told.Failed.Text, tt.want) {
			t.Errorf("%s: %.200s (%v), want %q", tt.why, f.text, err, tt.want)
		}
	}
	for _, garbage := range []string{"GET / HTTP/1.1\r\n\r\n", "R\xff\xff\xff\xff", "R\x00\x00\x00\x02{}", "R\x00\x00\x00\x04nullO\x00\x00\x00\x00"} {
		c := connect(t, path)
		if _, err := io.WriteString(c, garbage); err != nil {
			t.Fatal(err)
		}
		if f, err := read(c, maxReply, 0); err == nil && f.kind != kindReply {
			t.Errorf("%q: it answers %q %s", garbage, f.kind, f.text)
		}
	}
	c := connect(t, path)
	if err := write(c, kindRequest, encoded(t, sleeping("echo fine")), blob(t, "")); err != nil {
		t.Fatal(err)
	}
	if f, err := read(c, maxReply, 0); err != nil || f.kind != kindOutput || string(f.text) != "fine\n" {
		t.Errorf("a permitted request is answered with %q %s (%v)", f.kind, f.text, err)
	}
}

// TestGone disconnects at various moments. The runs must then end.
func TestGone(t *testing.T) {
	path, s, _ := serve(t, plenty)
	before := processes("sleep 12345")
	if before > 0 {
		t.Skip("not checked: another process runs the same sleep")
	}
	for _, also := range []string{"", "reads nothing", "says something else"} {
		c := connect(t, path)
		script := "sleep 12345"
		if also == "reads nothing" {
			script = "while :; do echo much; done & sleep 12345"
		}
		r := sleeping(script)
		r.Program.Limits.Output = maxOutput
		if err := write(c, kindRequest, encoded(t, r), blob(t, "")); err != nil {
			t.Fatal(err)
		}
		soon(t, "the run begins", func() bool { return processes("sleep 12345") > 0 })
		if also == "says something else" {
			_ = write(c, kindOutput, nil)
		} else {
			c.Close()
		}
		soon(t, "the run ends "+also, func() bool { return processes("sleep 12345") == 0 })
	}
	soon(t, "nobody is connected", func() bool {
		s.users.mu.Lock()
		defer s.users.mu.Unlock()
		return s.users.total == 0 && len(s.users.by) == 0
	})
}

// processes counts the processes of this host with this command line.
func processes(command string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, _ := os.ReadFile(f); strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte(" ")))) == command {
			n++
		}
	}
	return n
}

// TestQuota checks that connections beyond the quota are refused, and that runs beyond it wait
// until another ends or the caller disconnects.
func TestQuota(t *testing.T) {
	path, _, _ := serve(t, Quota{Connections: 3, Runs: 1, Memory: limits.GiB})
	first, second := connect(t, path), connect(t, path)
	if err := write(first, kindRequest, encoded(t, sleeping("echo first; sleep 1000")), blob(t, "")); err != nil {
		t.Fatal(err)
	}
	if f, err := read(first, maxReply, 0); err != nil || string(f.text) != "first\n" {
		t.Fatalf("%q %s (%v)", f.kind, f.text, err)
	}
	if err := write(second, kindRequest, encoded(t, sleeping("echo second")), blob(t, "")); err != nil {
		t.Fatal(err)
	}
	third := connect(t, path)
	if err := write(third, kindRequest, encoded(t, sleeping("echo third")), blob(t, "")); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(path); err == nil || !strings.Contains(err.Error(), "more than 3 connections") {
		t.Errorf("a fourth connection: %v", err)
	}
	third.Close() // while it waits in the queue
	if err := write(first, kindCancel, nil); err != nil {
		t.Fatal(err)
	}
	var told reply
	if f, err := read(first, maxReply, 0); err != nil || json.Unmarshal(f.text, &told) != nil || told.Result.Stop != sandbox.Cancelled {
		t.Errorf("the first run ends with %q %s (%v)", f.kind, f.text, err)
	}
	if f, err := read(second, maxReply, 0); err != nil || string(f.text) != "second\n" {
		t.Errorf("the second run prints %q %s (%v)", f.kind, f.text, err)
	}
}

// TestShown checks which paths the service mounts, among those that a hostile caller could set up.
func TestShown(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("not checked: folders of root (not root)")
	}
	dir, err := os.MkdirTemp("/usr/lib", "tribunal-shown-") // only root may change the folders on the way
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	defer os.RemoveAll(dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	mkdir := func(name string, mode os.FileMode) error { // the umask does not apply
		return errors.Join(os.Mkdir(at(name), mode), os.Chmod(at(name), mode))
	}
	file := func(name string, mode os.FileMode) error {
		return errors.Join(os.WriteFile(at(name), nil, mode), os.Chmod(at(name), mode))
	}
	err = errors.Join(
		os.Chmod(dir, 0o755), mkdir("open", 0o755), file("open/file", 0o644),
		mkdir("closed", 0o700), file("closed/file", 0o644), file("open/secret", 0o600),
		mkdir("theirs", 0o755), file("theirs/file", 0o644), os.Chown(at("theirs"), account, account),
		mkdir("shared", 0o777), file("shared/file", 0o644),
		mkdir("group", 0o775), os.Chown(at("group"), 0, members), file("group/file", 0o644),
		os.Symlink("open", at("link")), os.Symlink("/root", at("out")), os.Symlink("theirs", at("to-theirs")), os.Symlink("loop", at("loop")),
		os.Symlink("../../../proc", at("up")), unix.Mkfifo(at("pipe"), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"open": "", "open/file": "", "link": "", "link/file": "",
		"closed": "some accounts", "closed/file": "some accounts", "open/secret": "some accounts",
		"theirs": "other than root", "theirs/file": "other than root", "shared/file": "other than root", "group/file": "other than root", "to-theirs/file": "other than root",
		"out": "refuses", "up": "refuses", "loop": "too many links", "pipe": "neither a file nor a folder", "none": "no such file",
	} {
		if err := shown(at(name), DefaultShown); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for pattern, want := range map[string]bool{
		"/usr/li": false, "/usr/lib": true, "/usr/l*": true, "/usr/*/tribunal-shown-*/closed": false, "/usr/*/tribunal-shown-*/open": true, at("open") + "/file": false,
	} {
		if err := shown(at("open"), []string{pattern}); (err == nil) != want {
			t.Errorf("pattern %s: %v, want shown %v", pattern, err, want)
		}
	}
}

// FuzzRequest checks that every request that can be decoded obeys the rules that make it harmless.
func FuzzRequest(f *testing.F) {
	for _, r := range []request{sleeping("true"), {Program: program{Args: []text{text("x")}}, Interactor: &interactor{}}} {
		data, _ := json.Marshal(r)
		f.Add(data)
	}
	f.Add([]byte(`{"Program":{"Args":["eA=="],"Mounts":[{"Path":"/../etc"}],"Limits":{"cpu_ns":1,"wall_ns":1,"memory_bytes":1048576,"output_bytes":1,"processes":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode(data)
		if err != nil {
			return
		}
		programs := []program{r.Program}
		if r.Interactor != nil {
			programs = append(programs, r.Interactor.Program)
		}
		for _, p := range programs {
			l := p.Limits
			if l.CPU <= 0 || l.Wall <= 0 || l.Memory <= 0 || l.Output <= 0 || l.Processes <= 0 || len(p.Args) == 0 {
				t.Errorf("limits %+v", l)
			}
			for _, m := range p.Mounts {
				if m.Path == "/" || m.Path != filepath.Clean(m.Path) || !filepath.IsAbs(m.Path) || m.Sent && strings.Count(m.Path, "/") != 1 {
					t.Errorf("mount %+v", m)
				}
			}
			for _, list := range p.lists() {
				for _, one := range list {
					if !filepath.IsLocal(string(one.Name)) || one.Size < 0 {
						t.Errorf("file %q", one.Name)
					}
				}
			}
			if p.Folder.Path != "" && (strings.Count(p.Folder.Path, "/") != 1 || strings.Contains(p.Folder.Path, ".")) {
				t.Errorf("folder %+v", p.Folder)
			}
		}
		if total, ok := r.contents(); !ok || total < 0 {
			t.Errorf("%d bytes", total)
		}
	})
}

// TestAttack checks that a service withstands each attack of the doctor, and that each attack
// succeeds on a service without checks.
func TestAttack(t *testing.T) {
	path, _, _ := serve(t, plenty)
	list, err := Attack(t.Context(), path)
	if err != nil || len(list) < 10 {
		t.Fatalf("%d attacks (%v)", len(list), err)
	}
	for _, a := range list {
		if a.Broke || a.Seen == "" {
			t.Errorf("%s: %s", a.Name, a.Seen)
		}
	}
}

// TestCPUQueue queues more runs than there are CPUs: each gets CPUs of its own, and narrow runs do
// not overtake a wide one for ever.
func TestCPUQueue(t *testing.T) {
	t.Parallel()
	l := newCPUQueue([]int{4, 5, 6})
	one, leaveOne, _ := l.acquire(t.Context(), 0)
	two, leaveTwo, _ := l.acquire(t.Context(), 2)
	if len(one) != 1 || len(two) != 2 || len(l.free) != 0 {
		t.Fatalf("%v and %v, %v left", one, two, l.free)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.acquire(ctx, 1); err == nil {
		t.Error("a CPU for a cancelled caller")
	}
	leaveTwo()
	leaveOne()
	all, leave, err := l.acquire(t.Context(), 100)
	if slices.Sort(all); err != nil || !slices.Equal(all, []int{4, 5, 6}) {
		t.Errorf("%v (%v)", all, err)
	}
	leave()
}
