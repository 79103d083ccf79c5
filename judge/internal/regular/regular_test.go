package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
)

// TestOpen opens files of all kinds. Among them are a named pipe and a file under a lease, for
// which a plain open would wait.
func TestOpen(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "dir")
	in := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", shortened(t, top, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	for _, err := range []error{
		os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(top, "secret"), []byte("secret"), 0o600),
		os.WriteFile(in("file"), []byte("text"), 0o600), os.Symlink("file", in("link")), os.Symlink("../secret", in("out")),
		syscall.Mkfifo(in("pipe"), 0o600), os.Symlink("pipe", in("to-pipe")), os.Symlink("/dev/null", in("null")),
		os.Symlink("self", in("self")), os.Rename(filepath.Join(top, "s"), in("socket")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	const escapes = "path escapes from parent"
	irregular, links, gone := ErrIrregular.Error(), syscall.ELOOP.Error(), syscall.ENOENT.Error()
	for _, tt := range []struct{ name, open, plain, in, plainIn string }{
		{name: "file"},
		{name: "."},
		{name: "link", plain: links, plainIn: links},
		{name: "out", plain: links, in: escapes, plainIn: links},
		{"pipe", irregular, irregular, irregular, irregular},
		{"to-pipe", irregular, links, irregular, links},
		{"null", irregular, links, escapes, links},
		{"socket", irregular, irregular, irregular, irregular},
		{"self", links, links, links, links},
		{"gone", gone, gone, gone, gone},
	} {
		for _, how := range []struct {
			called, want string
			open         func() (*os.File, fs.FileInfo, error)
		}{
			{"Open", tt.open, func() (*os.File, fs.FileInfo, error) { return Open(in(tt.name)) }},
			{"OpenPlain", tt.plain, func() (*os.File, fs.FileInfo, error) { return OpenPlain(in(tt.name)) }},
			{"OpenIn", tt.in, func() (*os.File, fs.FileInfo, error) { return OpenIn(root, tt.name) }},
			{"OpenPlainIn", tt.plainIn, func() (*os.File, fs.FileInfo, error) { return OpenPlainIn(root, tt.name) }},
		} {
			f, info, err := how.open()
			if (err == nil) != (how.want == "") || err != nil && !strings.Contains(err.Error(), how.want) {
				t.Errorf("%s of %s: got %v, want %q", how.called, tt.name, err, how.want)
			}
			if err == nil {
				if now, err := f.Stat(); err != nil || !os.SameFile(now, info) {
					t.Errorf("%s of %s: another file is described (%v)", how.called, tt.name, err)
				}
				f.Close()
			}
		}
	}
}

// TestExchanged opens a name whose file is replaced between the check and the opening.
func TestExchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, secret := filepath.Join(dir, "file"), filepath.Join(t.TempDir(), "secret")
	for _, tt := range []struct {
		why      string
		exchange func() error
		want     error
	}{
		{"a link", func() error { return os.Symlink(secret, name) }, syscall.ELOOP},
		{"a pipe", func() error { return syscall.Mkfifo(name, 0o600) }, ErrIrregular},
		{"nothing", func() error { return nil }, fs.ErrNotExist},
	} {
		if err := errors.Join(os.RemoveAll(name), os.WriteFile(name, []byte("text"), 0o600), os.WriteFile(secret, []byte("secret"), 0o600)); err != nil {
			t.Fatal(err)
		}
		look := func(name string) (fs.FileInfo, error) {
			info, err := os.Lstat(name)
			return info, errors.Join(err, os.Remove(name), tt.exchange())
		}
		f, _, err := open(name, look, func() (*os.File, error) { return os.OpenFile(name, flags|syscall.O_NOFOLLOW, 0) })
		if err == nil {
			f.Close()
		}
		if !errors.Is(err, tt.want) {
			t.Errorf("replaced by %s: got %v, want %v", tt.why, err, tt.want)
		}
	}
}

// TestExchangedBelow goes on opening a name below a root, whose file another process replaces by a symbolic link and
// back, until that happens between the check and the opening.
func TestExchangedBelow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(in("secret"), []byte("secret"), 0o600), os.WriteFile(in("file"), []byte("text"), 0o600)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var stop atomic.Bool
	done := make(chan error)
	go func() {
		var err error
		for err == nil && !stop.Load() {
			err = errors.Join(os.Symlink("secret", in("new")), os.Rename(in("new"), in("file")),
				os.WriteFile(in("new"), []byte("text"), 0o600), os.Rename(in("new"), in("file")))
		}
		done <- err
	}()
	var text []byte
	for deadline := tier.Deadline(t); !errors.Is(err, ErrChanged) && time.Now().Before(deadline); {
		var f *os.File
		var info fs.FileInfo
		if f, info, err = OpenPlainIn(root, "file"); err == nil {
			text, err = Read(f, info)
			f.Close()
		}
		if err == nil && string(text) != "text" || err != nil && !errors.Is(err, syscall.ELOOP) && !errors.Is(err, ErrChanged) {
			t.Errorf("got %q, %v", text, err)
			break
		}
	}
	stop.Store(true)
	if failed := <-done; failed != nil || !errors.Is(err, ErrChanged) {
		t.Errorf("at last: %v (%v)", err, failed)
	}
}

// TestBelow tells files below a folder from others.
func TestBelow(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, name) }
	if err := errors.Join(os.MkdirAll(in("dir/sub"), 0o755), os.WriteFile(in("dir/sub/file"), nil, 0o600), os.WriteFile(in("dirt"), nil, 0o600),
		os.Symlink("dir", in("alias")), os.Symlink("../../dirt", in("dir/sub/out"))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, file, folder, rel string }{ // rel: "" if the file is not below the folder
		{"a file in a subfolder", "dir/sub/file", "dir", "sub/file"},
		{"a folder under another name", "dir/sub/file", "alias", "sub/file"},
		{"a file under another name", "alias/sub/file", "dir/sub", "file"},
		{"a name that begins like the folder", "dirt", "dir", ""},
		{"a link that leads out of the folder", "dir/sub/out", "dir", ""},
		{"no file", "dir/gone", "dir", ""},
		{"no folder", "dir/sub/file", "gone", ""},
	} {
		_, rel, ok := below(in(tt.file), in(tt.folder))
		if ok != (tt.rel != "") || ok && rel != tt.rel {
			t.Errorf("%s: %q, %v, want %q", tt.why, rel, ok, tt.rel)
		}
	}
}

// TestAny opens whatever the user names. It does not wait for a writer.
func TestAny(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(file, []byte("text"), 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{file: "text", pipe: ""} {
		if got, err := ReadAny(name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	go func() {
		_, _ = to.WriteString("said")
		to.Close()
	}()
	if got, err := ReadAny(fmt.Sprint("/dev/fd/", from.Fd())); err != nil || string(got) != "said" { // such as <(command) of a shell
		t.Errorf("a pipe with a writer: %q, %v", got, err)
	}
}

// TestRoot checks that a root stays at the folder that was opened.
func TestRoot(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "dir")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	f, _, err := OpenPlain(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(os.Rename(dir, dir+"2"), os.Symlink("/", dir)); err != nil {
		t.Fatal(err)
	}
	root, err := Root(f)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := root.Stat("file"); err != nil {
		t.Error(err)
	}
}

// TestRead checks that Read fails if the size of a file has changed since it was opened.
func TestRead(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	for _, tt := range []struct {
		why    string
		change func() error
		want   error
	}{
		{"unchanged", func() error { return nil }, nil},
		{"removed", func() error { return os.Remove(name) }, nil},
		{"longer", func() error { return os.WriteFile(name, []byte("text and more"), 0o600) }, ErrChanged},
		{"shorter", func() error { return os.Truncate(name, 1) }, ErrChanged},
		{"empty", func() error { return os.Truncate(name, 0) }, ErrChanged},
	} {
		if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, info, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.change(); err != nil {
			t.Fatal(err)
		}
		text, err := Read(f, info)
		if !errors.Is(err, tt.want) || err == nil && string(text) != "text" {
			t.Errorf("%s: got %q, %v, want %v", tt.why, text, err, tt.want)
		}
		f.Close()
	}
}

// shortened returns a path of a file in a folder that is short enough for a socket.
func shortened(t *testing.T, dir, name string) string {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), name)
}
