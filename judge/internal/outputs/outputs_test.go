package outputs

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/regular"
)

// wanted are the outputs of the problem in these tests, most how large they may be.
var wanted = []string{"one.out", "two.out"}

const most = 8

// entry is a file of an archive.
type entry struct {
	name, text string
	header     func(*zip.FileHeader)
}

// archive returns a zip archive of the entries.
func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.header != nil {
			e.header(h)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, e.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// link makes an entry a symbolic link.
func link(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }

// edited returns data with all places of one text replaced by another of the same length.
func edited(t testing.TB, data []byte, from, to string) []byte {
	t.Helper()
	if len(from) != len(to) || !bytes.Contains(data, []byte(from)) {
		t.Fatalf("cannot replace %q by %q", from, to)
	}
	return bytes.ReplaceAll(data, []byte(from), []byte(to))
}

// open opens a submission as the judge does.
func open(name string) (*Set, error) {
	f, info, err := regular.OpenPlain(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Open(name, f, info, regular.OpenPlain, wanted)
}

// results describes what a submission holds for each output, or why it is none.
func results(t testing.TB, name string, alone bool) string {
	t.Helper()
	set, err := open(name)
	if err != nil {
		return "refused: " + err.Error()
	}
	var list []string
	for _, output := range wanted {
		var text strings.Builder
		size, err := set.Write(t.Context(), &text, output, most, alone)
		switch {
		case err != nil:
			if _, ok := errors.AsType[*MissingError](err); !ok {
				t.Errorf("%s: the judge fails: %v", output, err)
			}
			list = append(list, "missing: "+err.Error())
		case text.Len() > most:
			t.Errorf("%s: wrote %d bytes, more than %d", output, text.Len(), most)
		case size > most:
			list = append(list, "too large")
		default:
			if int(size) != text.Len() {
				t.Errorf("%s: wrote %d bytes of %d", output, text.Len(), size)
			}
			list = append(list, text.String())
		}
	}
	return strings.Join(list, "; ")
}

func TestArchives(t *testing.T) {
	t.Parallel()
	const none = "refused: none of its files is an output (hint: outputs have names such as one.out)"
	both := archive(t, entry{name: "one.out", text: "1"}, entry{name: "two.out", text: "2"})
	deflated := archive(t, entry{name: "one.out", text: strings.Repeat("ab", 4)}, entry{name: "two.out", text: "2"})
	cut := bytes.Clone(deflated)
	cut[30+len("one.out")] = 0xff // the first byte of the compressed data: a block of an unknown kind
	many := slices.Repeat([]entry{{name: "x", header: func(h *zip.FileHeader) { h.Method = zip.Store }}}, maxFiles+1)
	long := strings.Repeat("x", 60_000)
	names := slices.Repeat([]entry{{name: long, header: func(h *zip.FileHeader) { h.Method = zip.Store }}}, int(maxListing)/len(long)+2)
	for _, tt := range []struct {
		why  string
		data []byte
		want string
	}{
		{"outputs at the top", both, "1; 2"},
		{"only the last part of a path counts, whoever made the archive", archive(t, entry{name: "a/b/one.out", text: "1"}, entry{name: `a\two.out`, text: "2"}), "1; 2"},
		{"other files do not matter, and neither do folders", archive(t, entry{name: "one.out/"}, entry{name: "x", text: "x"}, entry{name: "one.out", text: "1"}), "1; missing: two.out was not submitted"},
		{"a name that leads out names an output, and nothing is written there", archive(t, entry{name: "../../../one.out", text: "1"}, entry{name: "/etc/two.out", text: "2"}), "1; 2"},
		{"two files of a name", archive(t, entry{name: "a/one.out", text: "1"}, entry{name: "b/one.out", text: "2"}), `refused: two files are called one.out: "a/one.out" and "b/one.out"`},
		{"a symbolic link", archive(t, entry{"one.out", "/etc/passwd", link}, entry{name: "two.out", text: "2"}), "missing: one.out was not submitted, but a symbolic link; 2"},
		{"a device", archive(t, entry{"one.out", "", func(h *zip.FileHeader) { h.SetMode(fs.ModeDevice) }}), "missing: one.out was not submitted, but something that is no file; missing: two.out was not submitted"},
		{"an encrypted file", archive(t, entry{"one.out", "1", func(h *zip.FileHeader) { h.Flags |= 1 }}), "missing: one.out was not submitted, but an encrypted file; missing: two.out was not submitted"},
		{"an output as large as may be, and one byte more", archive(t, entry{name: "one.out", text: "12345678"}, entry{name: "two.out", text: "123456789"}), "12345678; too large"},
		{"a file that grows a thousand times", archive(t, entry{name: "one.out", text: strings.Repeat("\x00", 64<<20)}), "too large; missing: two.out was not submitted"},
		{"an empty output", archive(t, entry{name: "one.out"}), "; missing: two.out was not submitted"},
		{"damaged data", cut, "missing: one.out was not submitted, but its place in the archive is damaged: flate: corrupt input before offset 1; 2"},
		{"a wrong checksum", edited(t, archive(t, entry{"one.out", "stored", func(h *zip.FileHeader) { h.Method = zip.Store }}), "stored", "Stored"), "missing: one.out was not submitted, but its place in the archive is damaged: zip: checksum error; missing: two.out was not submitted"},
		{"an unknown compression", edited(t, both, "\x14\x00\x08\x00\x08\x00", "\x14\x00\x08\x00\x09\x00"), "missing: one.out was not submitted, but its place in the archive is damaged: zip: unsupported compression algorithm; missing: two.out was not submitted, but its place in the archive is damaged: zip: unsupported compression algorithm"},
		{"no outputs", archive(t, entry{name: "x", text: "1"}), none},
		{"nothing", archive(t), none},
		{"no archive", []byte("PK\x03\x04"), "refused: not a readable zip archive: zip: not a valid zip file"},
		{"a truncated archive", both[:len(both)-9], "refused: not a readable zip archive: zip: not a valid zip file"},
		{"too many files", archive(t, many...), "refused: more than 10000 files and folders"},
		{"too long a list of files", archive(t, names...), "refused: not a readable zip archive: a list of files of more than 4MiB"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"all.zip", "ALL.ZIP", "upload"} {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, tt.data, 0o644); err != nil {
					t.Fatal(err)
				}
				if name == "upload" && !bytes.HasPrefix(tt.data, []byte("PK\x03\x04")) {
					continue
				}
				if got := results(t, file, false); got != tt.want {
					t.Errorf("%s: got %s\nwant %s", name, got, tt.want)
				}
			}
			if list, _ := os.ReadDir(dir); len(list) != 3 {
				t.Errorf("something was written: %v", list)
			}
		})
	}
}

// TestDeclaredSize opens an archive whose list says that a large file is small, and the other way.
func TestDeclaredSize(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		size      uint32
		want      string
	}{
		{"more than it says", "123456789", 1, "missing: one.out was not submitted, but its place in the archive is damaged: "},
		{"less than it says", "1", 1 << 31, "missing: one.out was not submitted, but its place in the archive is damaged: "},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			data := archive(t, entry{name: "one.out", text: tt.text})
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint32(data[at+24:], tt.size)
			file := filepath.Join(t.TempDir(), "all.zip")
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if got := results(t, file, false); !strings.HasPrefix(got, tt.want) && !strings.HasPrefix(got, "too large") {
				t.Errorf("got %s\nwant %s…", got, tt.want)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		make func(dir string) error
		want string
	}{
		{"outputs in folders", func(dir string) error {
			return errors.Join(os.MkdirAll(dir+"/a/b", 0o755), os.WriteFile(dir+"/one.out", []byte("1"), 0o644), os.WriteFile(dir+"/a/b/two.out", []byte("2"), 0o644))
		}, "1; 2"},
		{"symbolic links are not followed, wherever they lead", func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/x", []byte("x"), 0o644), os.Symlink(secret, dir+"/one.out"), os.Symlink("x", dir+"/two.out"))
		}, "missing: one.out was not submitted, but a symbolic link; missing: two.out was not submitted, but a symbolic link"},
		{"neither are links to folders", func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/one.out", []byte("1"), 0o644), os.Symlink(filepath.Dir(secret), dir+"/a"), os.Symlink(".", dir+"/b"))
		}, "1; missing: two.out was not submitted"},
		{"a named pipe without a writer", func(dir string) error {
			return errors.Join(syscall.Mkfifo(dir+"/one.out", 0o644), os.WriteFile(dir+"/two.out", []byte("123456789"), 0o644))
		}, "missing: one.out was not submitted, but something that is no file; too large"},
		{"two files of a name", func(dir string) error {
			return errors.Join(os.Mkdir(dir+"/a", 0o755), os.WriteFile(dir+"/a/one.out", nil, 0o644), os.WriteFile(dir+"/one.out", nil, 0o644))
		}, `refused: two files are called one.out: "a/one.out" and "one.out"`},
		{"folders with the names of outputs", func(dir string) error { return os.MkdirAll(dir+"/one.out/two.out", 0o755) }, "refused: none of its files is an output (hint: outputs have names such as one.out)"},
		{"deep folders", func(dir string) error { return os.MkdirAll(dir+strings.Repeat("/a", maxDepth+1), 0o755) }, "refused: more than 16 folders inside each other"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := tt.make(dir); err != nil {
				t.Fatal(err)
			}
			if got := results(t, dir, true); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestSingle submits one file, whose name counts unless the problem has only one case.
func TestSingle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		name, text string
		alone      bool
		want       string
	}{
		{"one.out", "1", false, "1; missing: two.out was not submitted"},
		{"two.out", "PK\x03\x04", false, "missing: one.out was not submitted; PK\x03\x04"},
		{"x.txt", "1", false, "missing: one.out was not submitted, but one file of another name; missing: two.out was not submitted, but one file of another name"},
		{"x.txt", "1", true, "1; 1"},
		{"x.txt", "123456789", true, "too large; too large"},
		{"x.zip", "1", true, "refused: not a readable zip archive: zip: not a valid zip file"},
	} {
		file := filepath.Join(dir, tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := results(t, file, tt.alone); got != tt.want {
			t.Errorf("%s %q: got %s\nwant %s", tt.name, tt.text, got, tt.want)
		}
	}
}

// TestChanged changes a submission after it was opened: that is a failure to read, not an output.
func TestChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := filepath.Join(dir, "all.zip")
	one := filepath.Join(dir, "one.out")
	for _, change := range []func() error{
		func() error { return os.WriteFile(all, archive(t, entry{name: "one.out", text: "22"}), 0o644) },
		func() error { return os.Remove(all) },
	} {
		for _, name := range []string{all, dir} {
			err := errors.Join(os.WriteFile(all, archive(t, entry{name: "one.out", text: "1"}), 0o644), os.WriteFile(one, []byte("1"), 0o644))
			if err != nil {
				t.Fatal(err)
			}
			set, err := open(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(change(), os.WriteFile(one, []byte("22"), 0o644)); err != nil {
				t.Fatal(err)
			}
			_, err = set.Write(t.Context(), io.Discard, "one.out", most, false)
			_, changed := errors.AsType[*content.ChangedError](err)
			if !changed && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}

// TestDamage checks which errors of reading an archive are the submission's fault.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err error
		bad bool
	}{
		{nil, false}, {io.EOF, false},
		{zip.ErrFormat, true}, {io.ErrUnexpectedEOF, true},
		{&content.ChangedError{}, false}, {regular.ErrChanged, false}, {&fs.PathError{Op: "read", Err: syscall.EIO}, false},
	} {
		err := damage(tt.err)
		if _, bad := errors.AsType[*badError](err); bad != tt.bad || !bad && err != tt.err {
			t.Errorf("%v: got %v, the submission's fault: %v", tt.err, err, bad)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "all.zip")
	if err := os.WriteFile(file, archive(t, entry{name: "one.out", text: "1"}), 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := set.Write(ctx, io.Discard, "one.out", most, false); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// FuzzArchive opens archives that may be damaged in any way.
func FuzzArchive(f *testing.F) {
	f.Add(archive(f, entry{name: "one.out", text: "1"}, entry{"two.out", "x", link}))
	f.Add(archive(f, entry{"one.out", "stored", func(h *zip.FileHeader) { h.Method = zip.Store }}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "all.zip")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		results(t, file, false)
	})
}
