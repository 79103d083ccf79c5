package build

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/cache"
)

// TestSubmission checks that Submission returns a refused source if the contestant is to blame, and
// an error if the user is.
func TestSubmission(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	file := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(in(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, to string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(in(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	const right = "int main(void) { return 0; }\n"
	file("right.c", right)
	file("class/right.c", right)
	file("class/two/right.c", right)
	link("class/down.c", "two/right.c")
	link("class/twice.c", "down.c")
	link("class/absolute.c", in("class/right.c"))
	link("class/up.c", "../right.c")
	link("class/up-and-down.c", "../class/right.c")
	link("class/through.c", "up.c")
	link("class/folder", "two")
	link("class/nothing.c", "nothing")
	link("class/circle.c", "circle.c")
	link("class/null.c", "/dev/null")
	link("class/proc.c", "/proc/self/environ")
	if err := unix.Mkfifo(in("class/fifo.c"), 0o600); err != nil {
		t.Fatal(err)
	}
	link("class/to-fifo.c", "fifo.c")
	// The path of a socket must be short, so bind it relative to a descriptor of its folder.
	socket, err := net.Listen("unix", fmt.Sprintf("/proc/self/fd/%d/s.c", descriptor(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	file("holds-link/a.c", right)
	link("holds-link/b.c", "a.c")
	file("deep/"+strings.Repeat(strings.Repeat("d", 200)+"/", 5)+"a.c", right)
	file("unknown.docx", "PK")
	file("RIGHT.CPP", right)
	file("torn", "\x7fELF and no more")
	if err := os.Mkdir(in("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, lang, refused, err string }{
		{why: "a file", name: "right.c"},
		{why: "an extension in capitals", name: "RIGHT.CPP"},
		{why: "a symbolic link to a file below its folder", name: "class/down.c"},
		{why: "a link to such a link, within the folder", name: "class/twice.c"},
		{why: "an absolute link to a file below its folder", name: "class/absolute.c"},
		{why: "a link out of its folder and back", name: "class/up-and-down.c"},
		{why: "a link to a file beside the folder", name: "class/up.c", refused: "a symbolic link that leads out of its folder and the working directory (hint: submit what it leads to)"},
		{why: "a link to such a link, which leads out", name: "class/through.c", refused: "a symbolic link that leads out of"},
		{why: "a link to a folder", name: "class/folder", refused: "a symbolic link to something other than a regular file"},
		{why: "a dangling link", name: "class/nothing.c", refused: "a symbolic link to nothing (hint: "},
		{why: "a link to itself", name: "class/circle.c", refused: "a symbolic link that cannot be followed"},
		{why: "a link to a device", name: "class/null.c", refused: "a symbolic link to something other than a regular file"},
		{why: "a link into /proc/self", name: "class/proc.c", refused: "a symbolic link that leads out of"},
		{why: "a link to a pipe", name: "class/to-fifo.c", refused: "a symbolic link to something other than a regular file"},
		{why: "a pipe, which must not block the judge", name: "class/fifo.c", refused: "not a regular file (hint: "},
		{why: "a socket", name: "s.c", refused: "not a regular file"},
		{why: "a link within a folder", name: "holds-link", refused: "b.c: not a regular file (hint: a submission must not contain symbolic links or devices)"},
		{why: "folders nested too deeply", name: "deep", refused: "… has a path of"},
		{why: "an empty folder", name: "empty", refused: "no source file of any language"},
		{why: "an extension of no language", name: "unknown.docx", refused: `no language has files that end in ".docx"`},
		{why: "an executable that was cut off", name: "torn", refused: "damaged executable: "},
		{why: "a file that does not exist", name: "gone.c", err: "gone.c: no such file or directory (hint: "},
		{why: "a path through a file", name: "right.c/a.c", err: "right.c/a.c: not a directory"},
		{why: "an unknown language", name: "right.c", lang: "cobol", err: `unknown language "cobol"`},
		{why: "two mistakes", name: "gone.c", lang: "cobol", err: "gone.c: no such file or directory (hint: "},
	} {
		s, err := Submission(in(tt.name), tt.lang, "", Defaults())
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got %v, want an error with %q", tt.why, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: got an error, want a source: %v", tt.why, err)
			continue
		}
		if s.Name != in(tt.name) || (s.terms.refused == "") != (tt.refused == "") || !strings.Contains(s.terms.refused, tt.refused) || strings.Contains(s.terms.refused, dir) {
			t.Errorf("%s: %s is refused with %q, want %q", tt.why, s.Name, s.terms.refused, tt.refused)
		}
		if _, err := Open(in(tt.name), tt.lang, Defaults()); err == nil && tt.refused != "" && !strings.Contains(tt.refused, "link") {
			t.Errorf("%s: Open returns no error", tt.why)
		}
	}
	t.Run("unreadable", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() == 0 {
			t.Skip("not checked: submissions that cannot be read (root reads everything)")
		}
		dir := write(t, "dir", map[string]string{"file.c": right, "folder/a.c": right, "shut/a.c": right})
		for name, mode := range map[string]fs.FileMode{"file.c": 0, "folder": 0o200, "shut": 0} {
			path := filepath.Join(dir, name)
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(path, 0o700) })
		}
		for _, name := range []string{"file.c", "folder", "shut", "shut/a.c"} {
			s, err := Submission(filepath.Join(dir, name), "", "", Defaults())
			if err != nil || s.terms.refused != "" || s.terms.unread == nil || !strings.Contains(s.terms.unread.Error(), ": permission denied (hint: ") {
				t.Errorf("%s: got %+v, %v, want a submission that could not be read", name, s, err)
			}
		}
	})
	t.Run("as the judge's own failure", func(t *testing.T) {
		t.Parallel()
		for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
			_, err := HandedIn("a.c", func() (*Source, error) {
				return classify(nil, fmt.Errorf("a.c: %w", &fs.PathError{Op: "open", Path: "a.c", Err: errno}))
			})
			if !errors.Is(err, errno) {
				t.Errorf("%v: got %v, want the error unchanged", errno, err)
			}
		}
	})
}

// TestUnread checks that a submission that cannot be read is not a compile error.
func TestUnread(t *testing.T) {
	t.Parallel()
	b := New(Options{Languages: Defaults(), Cache: newCache(t)})
	for _, errno := range []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EIO, syscall.ESTALE} {
		s, err := HandedIn("a.c", func() (*Source, error) {
			return classify(nil, fmt.Errorf("a.c: %w", &fs.PathError{Op: "open", Path: "a.c", Err: errno}))
		})
		if err != nil {
			t.Errorf("%v: HandedIn: %v, want no error, so that other submissions are judged", errno, err)
			continue
		}
		if _, err := b.Key(t.Context(), s); err != nil {
			t.Errorf("%v: Key: %v", errno, err)
		}
		_, err = b.Build(t.Context(), s)
		if _, ok := errors.AsType[*UnreadError](err); !ok || !errors.Is(err, errno) {
			t.Errorf("%v: Build: %v", errno, err)
		}
	}
}

// TestExchanged replaces files while the judge reads them, as a contestant might. The judge must
// read only the contestant's own files or none, and must not block. The replacement rarely comes at
// the critical moment; TestTree checks that case.
func TestExchanged(t *testing.T) {
	t.Parallel()
	const secret = "the secret of another user"
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "secret"), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "theirs")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Mkdir(filepath.Join(dir, "folder"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(string) error{
		"link": func(name string) error { return os.Symlink("../secret", name) },
		"pipe": func(name string) error { return unix.Mkfifo(name, 0o600) },
		"file": func(name string) error { return os.WriteFile(name, []byte("print(1)\n"), 0o600) },
	} {
		if err := errors.Join(make(filepath.Join(top, name)), os.WriteFile(filepath.Join(dir, "main.py"), []byte("print(1)\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	stop, done := make(chan struct{}), make(chan error)
	go func() { // replaces main.py until stop is closed
		for i := 0; ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			other := filepath.Join(top, []string{"link", "pipe", "file"}[i%3])
			if err := unix.Renameat2(unix.AT_FDCWD, other, unix.AT_FDCWD, filepath.Join(dir, "main.py"), unix.RENAME_EXCHANGE); err != nil {
				<-stop
				done <- err
				return
			}
		}
	}()
	for range 300 {
		for _, name := range []string{dir, filepath.Join(dir, "main.py")} {
			s, err := Submission(name, "python3", "", Defaults())
			if err != nil {
				t.Errorf("Submission: %v, want a source in any case", err)
			} else if string(s.files["main.py"]) == secret {
				t.Error("another user's file was read")
			}
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Skipf("not checked: files that are replaced while they are read: %v", err)
	}
}

// TestTree opens files of a tree that may have replaced others after the folder was listed.
func TestTree(t *testing.T) {
	t.Parallel()
	top := write(t, "d", map[string]string{"secret": "secret", "in/a.c": "int a;"})
	dir := filepath.Join(top, "in")
	for _, err := range []error{
		os.Symlink("../secret", filepath.Join(dir, "out.c")), os.Symlink(filepath.Join(top, "secret"), filepath.Join(dir, "absolute.c")),
		os.Symlink("a.c", filepath.Join(dir, "within.c")), unix.Mkfifo(filepath.Join(dir, "pipe.c"), 0o600), os.Symlink("..", filepath.Join(dir, "up")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		why, name     string
		file, program string // parts of the errors for a contestant's and for a package's file; "" if there is none
	}{
		{"a file", "a.c", "", ""},
		{"a symbolic link within the folder", "within.c", "not a regular file (hint: ", ""},
		{"a symbolic link that leads out", "out.c", "not a regular file (hint: ", "path escapes from parent"},
		{"an absolute symbolic link", "absolute.c", "not a regular file (hint: ", "path escapes from parent"},
		{"a pipe", "pipe.c", "not a regular file (hint: ", "not a regular file (hint: "},
		{"a folder", ".", "not a regular file (hint: ", "not a regular file (hint: "},
		{"a missing file", "gone.c", "no such file or directory", "no such file or directory"},
		{"a path through a symbolic link to another folder", "up/secret", "path escapes from parent", "path escapes from parent"},
	} {
		for program, wantErr := range map[bool]string{false: tt.file, true: tt.program} {
			tree, err := openTree(dir)
			if err != nil {
				t.Fatal(err)
			}
			tree.program = program
			f, _, err := tree.open(tt.name)
			if err == nil {
				f.Close()
			}
			if (err == nil) != (wantErr == "") || err != nil && !strings.Contains(err.Error(), wantErr) {
				t.Errorf("%s (program of a package: %v): got %v, want %q", tt.why, program, err, wantErr)
			}
			tree.close()
		}
	}
}

// descriptor returns the descriptor of a folder, which stays open for the test.
func descriptor(t *testing.T, dir string) uintptr {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f.Fd()
}

// TestReopen checks that Reopen returns the program that was built, although the submitted file has
// changed, and fails if the cache has lost that program.
func TestReopen(t *testing.T) {
	t.Parallel()
	b := New(Options{Languages: Defaults(), Cache: newCache(t)})
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, "", Defaults())
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "more"...), 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := b.Reopen(t.Context(), s, p)
	if err != nil || again.Key != p.Key {
		t.Fatalf("got %v, %v, want the program that was built", again, err)
	}
	again.Close()
	drop(t, b, p.Key)
	if again, err := b.Reopen(t.Context(), s, p); err == nil {
		again.Close()
		t.Error("Reopen returned another program after the cache lost the first")
	}
}

// drop removes a program from the cache. It retries, because a process that another test is
// starting may hold the program open for a moment.
func drop(t *testing.T, b *Builder, key cache.Key) {
	t.Helper()
	for {
		b.options.Cache.Drop(key)
		entry, err := b.options.Cache.Get(key)
		if err != nil {
			t.Fatal(err)
		}
		if entry == nil {
			return
		}
		entry.Close()
	}
}

// TestRebuilt checks that a program that was built again does not share a box with the first, which
// mounts the old folder.
func TestRebuilt(t *testing.T) {
	t.Parallel()
	b := New(Options{Languages: map[string]Language{"x": {Match: []string{".x"}, Run: []string{"sh", "{main}"}}}, Cache: newCache(t)})
	s, err := Read("a.x", "a.x", strings.NewReader("exit\n"), "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	var specs []string
	for range 2 {
		p, err := b.Build(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Reopen(t.Context(), s, p)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%#v", again.Spec()) != fmt.Sprintf("%#v", p.Spec()) {
			t.Error("a reopened program must have the same Spec")
		}
		specs = append(specs, fmt.Sprintf("%#v", p.Spec()))
		again.Close()
		p.Close()
		drop(t, b, p.Key)
	}
	if specs[0] == specs[1] {
		t.Error("a rebuilt program must have another Spec")
	}
}
