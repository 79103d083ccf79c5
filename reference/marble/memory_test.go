package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64 // 0 for an error
		back string
	}{
		{"1048576B", 1 << 20, "1MiB"},
		{"1048575B", 0, ""},
		{"1KiB", 0, ""},
		{"512MiB", 512 << 20, "512MiB"},
		{"4GiB", 4 << 30, "4GiB"},
		{"1536KiB", 1536 << 10, "1.5MiB"},
		{"", 0, ""},
		{"512", 0, ""},
		{"0MiB", 0, ""},
		{"-1MiB", 0, ""},
		{"1.5GiB", 0, ""},
		{"3iB", 0, ""},
		{"9999999TiB", 0, ""},
		{"99999999999999999999MiB", 0, ""},
	} {
		var s size
		err := s.Set(tt.text)
		if int64(s) != tt.want || (err == nil) != (tt.want != 0) || err == nil && s.String() != tt.back {
			t.Errorf("%q: %d %v %v, want %d %s", tt.text, s, s, err, tt.want, tt.back)
		}
	}
}

// TestGroupMemory checks that a group has no more memory than the groups above it leave.
func TestGroupMemory(t *testing.T) {
	mount := t.TempDir()
	write := func(dir, limit, usage string) {
		dir = filepath.Join(mount, dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"max": limit, "current": usage} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("", "max", "7000")
	write("a", "1000", "400")
	write("a/b", "900", "100")
	write("a/free", "max", "100")
	write("a/far", "9223372036854771712", "100") // no limit, as control groups of version 1 write it
	write("c", "max", "1")
	for _, tt := range []struct {
		why, group string
		want       int64
		known      bool
	}{
		{"the group above leaves less", "/a/b", 600, true},
		{"no limit of its own", "/a/free", 600, true},
		{"no limit, as a number", "/a/far", 600, true},
		{"no limit at all", "/c", 0, false},
		{"the group itself is not below mount, only those above it", "/a/gone", 600, true},
		{"the root", "/", 0, false},
	} {
		got, known := groupMemory(mount, tt.group, "max", "current")
		if known != tt.known || known && got != tt.want {
			t.Errorf("%s: %d %v, want %d %v", tt.why, got, known, tt.want, tt.known)
		}
	}
	if got := availableMemory(); got < 64<<20 {
		t.Errorf("%d bytes available here", got)
	}
}

// TestMemoryRunsOut checks that a board that needs more memory than -mem allows ends in an error,
// and that nothing is printed for the boards before it.
func TestMemoryRunsOut(t *testing.T) {
	hard, err := os.ReadFile(filepath.Join("testdata", "boards", "impossible-6m-40x40.in"))
	if err != nil {
		t.Fatal(err)
	}
	var out, bad bytes.Buffer
	status := run([]string{"-mem", "16MiB"}, strings.NewReader(strings.Repeat("2 1 0\n0 0\n0 1\n", 999)+string(hard)), &out, &bad)
	want := regexp.MustCompile(`^board 1000: out of memory after \d{6,7} positions \(hint: -mem=SIZE allows more than 16MiB, -scratch=DIR allows files\)\n$`)
	if status != 1 || out.Len() > 0 || !want.MatchString(bad.String()) {
		t.Errorf("%d %q %q", status, &out, &bad)
	}
}

func TestMisuse(t *testing.T) {
	for _, tt := range []struct{ why, args, want string }{
		{"no such flag", "-threads=2", "flag provided but not defined"},
		{"not a size", "-mem=much", "not a size (hint: write 512MiB or 4GiB)"},
		{"hardly any memory", "-mem=1KiB", `invalid value "1KiB" for flag -mem: too little (hint: at least 1MiB)`},
		{"no such folder", "-scratch=testdata/missing", "scratch testdata/missing: no such file or directory (hint: -scratch=DIR names a folder in which files can be made)\n"},
		{"no folder", "-scratch=main.go", "scratch main.go: not a directory (hint: "},
		{"a file", "boards.in", `unexpected argument "boards.in" (hint: the boards are read from standard input)`},
	} {
		var out, bad bytes.Buffer
		if status := run([]string{tt.args}, strings.NewReader("0 0 0\n"), &out, &bad); status != 2 || !strings.Contains(bad.String(), tt.want) {
			t.Errorf("%s: %d %q", tt.why, status, &bad)
		}
	}
}

func TestReport(t *testing.T) {
	m := &meter{}
	clock := make(chan time.Time)
	var out bytes.Buffer
	stop := report(&out, 7, m, clock)
	m.fore.Store(3)
	m.back.Store(2)
	m.positions.Store(1000)
	m.bytes.Store(3 << 20)
	clock <- time.Time{}
	clock <- time.Time{} // blocks until the line before has been written
	stop()
	m.disk.Store(5 << 30)
	stop = report(&out, 7, m, clock)
	clock <- time.Time{}
	stop()
	const want = "board 7: depth 3 from the start, 2 from home; 1000 positions, 1000 more a second; 3MiB\n" +
		"board 7: depth 3 from the start, 2 from home; 1000 positions, 0 more a second; 3MiB\n" +
		"board 7: depth 3 from the start, 2 from home; 1000 positions, 1000 more a second; 3MiB, 5GiB on disk\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
