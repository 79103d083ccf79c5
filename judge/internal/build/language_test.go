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
		if l.Package == "" {
			t.Errorf("language %s: nobody is told what to install", name)
		}
		for _, ending := range l.Match {
			if l.Shebang != nil {
				ending += " with " + strings.Join(l.Shebang, " or ")
			}
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
		{"an ending without a dot", Language{Match: []string{"x"}, Run: []string{"x"}}, `match "x" is not a file name extension (hint: such as .cpp)`},
		{"a dot alone", Language{Match: []string{"."}, Run: []string{"x"}}, `match "." is not`},
		{"a program that is not where it is looked for", Language{Build: []string{"gcc", "-o", "a.out", "{src}"}}, "without a run command the build command must produce {exe}"},
		{"a misspelt placeholder", Language{Run: []string{"java", "{class}"}}, `unknown placeholder in "{class}" (hint: there are {src} {main} {stem} {exe}`},
		{"one of several tools", Language{Run: []string{"lua5.4|lua", "{main}"}}, ""},
		{"one of several tools, one of them without a name", Language{Run: []string{"lua5.4|", "{main}"}}, `"lua5.4|" names no tool (hint: name one, or alternatives as in lua5.4|lua)`},
		{"a tool without a name", Language{Run: []string{"x"}, Version: []string{""}}, `"" names no tool`},
		{"braces of a script", Language{Run: []string{"x", "-e", "f = () => { g() }"}}, ""},
		{"one right and one wrong in one word", Language{Run: []string{"x", "{dir}/{file}"}}, `unknown placeholder in "{dir}/{file}"`},
	} {
		err := tt.l.Check()
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	languages := Defaults()
	languages["snake"] = Language{Match: []string{".py"}, Shebang: []string{"snake", "pypy"}}
	for _, tt := range []struct{ why, file, start, want string }{
		{"the ending alone", "a.py", "print(1)\n", "python3"},
		{"the interpreter that the first line names", "a.py", "#!/usr/bin/env pypy3\nprint(1)\n", "pypy3"},
		{"by its path", "a.py", "#!/opt/pypy/bin/pypy3\n", "pypy3"},
		{"with arguments", "a.awk", "#!/usr/bin/mawk -f\n", "mawk"},
		{"through env with its own", "a.awk", "#!/usr/bin/env -S mawk -f\n", "mawk"},
		{"blanks and the end of lines elsewhere", "a.py", "#!  /usr/bin/pypy3\r\nprint(1)\r\n", "pypy3"},
		{"without more than that line", "a.py", "#!/usr/bin/pypy3", "pypy3"},
		{"one that no language is for is no matter", "a.py", "#!/usr/bin/python9\n", "python3"},
		{"one for files of another ending is none either", "a.sh", "#!/usr/bin/pypy3\n", "bash"},
		{"two that share a name", "a.py", "#!/usr/bin/pypy\n", "pypy3 snake"},
		{"only the first line counts", "a.py", "\n#!/usr/bin/pypy3\n", "python3"},
		{"an empty one", "a.py", "#!\nx", "python3"},
		{"env of nothing", "a.py", "#!/usr/bin/env\n", "python3"},
		{"env of options alone", "a.py", "#!/usr/bin/env -S\n", "python3"},
		{"a line without end is no name", "a.py", "#!/" + strings.Repeat("x", lineSize) + "/pypy3\n", "python3"},
		{"Haskell that is literate", "a.lhs", "> main = x\n", "haskell"},
		{"DOMjudge's for Pascal", "a.p", "program a;\n", "pascal"},
		{"no ending that any language takes", "a", "#!/usr/bin/pypy3\n", ""},
	} {
		if got := strings.Join(matches(languages, tt.file, []byte(tt.start)), " "); got != tt.want {
			t.Errorf("%s: %s with %.40q: got %q, want %q", tt.why, tt.file, tt.start, got, tt.want)
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
		{"the first words of a long one, and that it is cut", []string{"0123456789", "0123456789", "0123456789", "0123456789", "more"}, "0123456789012345678901234567890123456789\n[output truncated]"},
		{"cut within a write", []string{strings.Repeat("x", 50)}, strings.Repeat("x", 40) + "\n[output truncated]"},
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
