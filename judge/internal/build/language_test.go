package build

import (
	"slices"
	"strings"
	"testing"
)

func TestDefaultsAreInOrder(t *testing.T) {
	t.Parallel()
	a, b := Defaults(), Defaults()
	taken := map[string]string{}
	for name, l := range a {
		if err := l.Check(); err != nil {
			t.Errorf("language %s: %v", name, err)
		}
		if len(l.Version) == 0 {
			t.Errorf("language %s: without a version command a new compiler would not build anew", name)
		}
		for _, ending := range l.Match {
			if other := taken[ending]; other != "" {
				t.Errorf("%s is both %s and %s", ending, name, other)
			}
			taken[ending] = name
		}
	}
	delete(a, "c")
	if _, ok := b["c"]; !ok {
		t.Error("the callers share a map")
	}
}

func TestLanguageCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		l    Language
		says string // "" for nothing
	}{
		{"a compiled language", Language{Match: []string{".d"}, Build: []string{"dmd", "-of={exe}", "{src}"}}, ""},
		{"an interpreted one", Language{Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}, ""},
		{"checked and then interpreted", Language{Build: []string{"lint", "{src}"}, Run: []string{"sh", "{main}"}}, ""},
		{"without endings it is chosen with --lang alone", Language{Run: []string{"sh", "{main}"}}, ""},
		{"braces that stand for nothing", Language{Run: []string{"awk", "{", "{main}"}}, ""},
		{"nothing to do", Language{Match: []string{".x"}}, "needs a build or a run command"},
		{"an ending without a dot", Language{Match: []string{"x"}, Run: []string{"x"}}, `match "x" is not a file name ending (hint: write it like .cpp)`},
		{"a dot alone", Language{Match: []string{"."}, Run: []string{"x"}}, `match "." is not`},
		{"a program that is not where it is looked for", Language{Build: []string{"gcc", "-o", "a.out", "{src}"}}, "without a run command the build command must produce {exe}"},
		{"a misspelt placeholder", Language{Run: []string{"java", "{class}"}}, `unknown placeholder in "{class}" (hint: there are {src} {main} {exe}`},
		{"one right and one wrong in one word", Language{Run: []string{"x", "{dir}/{file}"}}, `unknown placeholder in "{dir}/{file}"`},
	} {
		err := tt.l.Check()
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	tools := &toolchain{Tools: map[string]string{"gcc": "/usr/bin/gcc"}}
	values := map[string][]string{
		"{src}": {"a.c", "b b.c"}, "{main}": {"a.c"}, "{exe}": {".program"}, "{dir}": {"."},
	}
	for _, tt := range []struct {
		why           string
		command, want string // arguments separated by |
	}{
		{"the command becomes the real binary", "gcc|-O2", "/usr/bin/gcc|-O2"},
		{"only as the first word", "sh|gcc", "sh|gcc"},
		{"a placeholder of its own becomes several arguments", "gcc|-o|{exe}|{src}|-lm", "/usr/bin/gcc|-o|.program|a.c|b b.c|-lm"},
		{"within a word it stays one argument", "gcc|-o={exe}", "/usr/bin/gcc|-o=.program"},
		{"two in one word", "cat|{dir}/{main}", "cat|./a.c"},
		{"what the run fills in later is left", "java|-Xmx{memory}", "java|-Xmx{memory}"},
	} {
		got := expand(strings.Split(tt.command, "|"), tools, values)
		if !slices.Equal(got, strings.Split(tt.want, "|")) {
			t.Errorf("%s: %s: got %q, want %s", tt.why, tt.command, got, tt.want)
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		writes []string
		want   string
	}{
		{"all of a short text", []string{"a.c:1: ", "error\n"}, "a.c:1: error"},
		{"nothing", nil, ""},
		{"exactly the limit is not cut", []string{"0123456789012345678901234567890123456789"}, "0123456789012345678901234567890123456789"},
		{"the first words of a long one, and that it is cut", []string{"0123456789", "0123456789", "0123456789", "0123456789", "more"}, "0123456789012345678901234567890123456789\n[more was cut]"},
		{"cut within a write", []string{strings.Repeat("x", 50)}, strings.Repeat("x", 40) + "\n[more was cut]"},
		{"names as the contestant knows them", []string{"/build/a.c: in /build/a.h"}, "a.c: in a.h"},
		{"go's title of files without a package", []string{"# command-line-arguments\n./a.go:1\n"}, "./a.go:1"},
		{"bytes that are no text become some", []string{"caf\xe9\n"}, "caf\uFFFD"},
	} {
		h := &head{limit: 40, dir: buildDir}
		for _, w := range tt.writes {
			if n, err := h.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: wrote %d of %d, %v: the compiler must not notice", tt.why, n, len(w), err)
			}
		}
		if got := h.String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
		if h.buf.Cap() > 1000 {
			t.Errorf("%s: holds %d bytes for %d", tt.why, h.buf.Cap(), h.limit)
		}
	}
}
