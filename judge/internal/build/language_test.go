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
			t.Errorf("language %s has no version command: a new compiler would not change the keys", name)
		}
		if l.Package == "" {
			t.Errorf("language %s has no Package to install", name)
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
		t.Error("two calls of Defaults return the same map")
	}
}

func TestLanguageCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		l       Language
		wantErr string // part of the error; "" if there is none
	}{
		{"a compiled language", Language{Match: []string{".d"}, Build: []string{"dmd", "-of={exe}", "{src}"}}, ""},
		{"an interpreted language", Language{Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}, ""},
		{"a language that is checked and then interpreted", Language{Build: []string{"lint", "{src}"}, Run: []string{"sh", "{main}"}}, ""},
		{"no extensions: only --lang selects it", Language{Run: []string{"sh", "{main}"}}, ""},
		{"braces that are not a placeholder", Language{Run: []string{"awk", "{", "{main}"}}, ""},
		{"no command", Language{Match: []string{".x"}}, "needs a build or a run command"},
		{"an extension without a dot", Language{Match: []string{"x"}, Run: []string{"x"}}, `match "x" is not a file name extension (hint: such as .cpp)`},
		{"a dot alone", Language{Match: []string{"."}, Run: []string{"x"}}, `match "." is not`},
		{"an executable with another name than {exe}", Language{Build: []string{"gcc", "-o", "a.out", "{src}"}}, "without a run command the build command must produce {exe}"},
		{"a misspelt placeholder", Language{Run: []string{"java", "{class}"}}, `unknown placeholder in "{class}" (hint: there are {src} {main} {stem} {exe}`},
		{"alternative tools", Language{Run: []string{"lua5.4|lua", "{main}"}}, ""},
		{"alternative tools, one without a name", Language{Run: []string{"lua5.4|", "{main}"}}, `"lua5.4|" names no tool (hint: name one, or alternatives as in lua5.4|lua)`},
		{"a tool without a name", Language{Run: []string{"x"}, Version: []string{""}}, `"" names no tool`},
		{"braces of a script", Language{Run: []string{"x", "-e", "f = () => { g() }"}}, ""},
		{"a known and an unknown placeholder in one word", Language{Run: []string{"x", "{dir}/{file}"}}, `unknown placeholder in "{dir}/{file}"`},
	} {
		err := tt.l.Check()
		if (err == nil) != (tt.wantErr == "") || err != nil && !strings.Contains(err.Error(), tt.wantErr) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	languages := Defaults()
	languages["snake"] = Language{Match: []string{".py"}, Shebang: []string{"snake", "pypy"}}
	for _, tt := range []struct{ why, file, start, want string }{
		{"the extension alone", "a.py", "print(1)\n", "python3"},
		{"the interpreter that the first line names", "a.py", "#!/usr/bin/env pypy3\nprint(1)\n", "pypy3"},
		{"an interpreter with its path", "a.py", "#!/opt/pypy/bin/pypy3\n", "pypy3"},
		{"an interpreter with arguments", "a.awk", "#!/usr/bin/mawk -f\n", "mawk"},
		{"an interpreter with arguments, through env -S", "a.awk", "#!/usr/bin/env -S mawk -f\n", "mawk"},
		{"blanks after #!, and CRLF line ends", "a.py", "#!  /usr/bin/pypy3\r\nprint(1)\r\n", "pypy3"},
		{"a first line without a newline", "a.py", "#!/usr/bin/pypy3", "pypy3"},
		{"an interpreter of no language does not count", "a.py", "#!/usr/bin/python9\n", "python3"},
		{"an interpreter whose language has other extensions does not count", "a.sh", "#!/usr/bin/pypy3\n", "bash"},
		{"two languages with the same interpreter", "a.py", "#!/usr/bin/pypy\n", "pypy3 snake"},
		{"only the first line counts", "a.py", "\n#!/usr/bin/pypy3\n", "python3"},
		{"no interpreter after #!", "a.py", "#!\nx", "python3"},
		{"env without an interpreter", "a.py", "#!/usr/bin/env\n", "python3"},
		{"env with only options", "a.py", "#!/usr/bin/env -S\n", "python3"},
		{"a first line that is too long", "a.py", "#!/" + strings.Repeat("x", lineSize) + "/pypy3\n", "python3"},
		{"literate Haskell", "a.lhs", "> main = x\n", "haskell"},
		{"DOMjudge's extension for Pascal", "a.p", "program a;\n", "pascal"},
		{"no extension", "a", "#!/usr/bin/pypy3\n", ""},
	} {
		if got := strings.Join(matches(languages, tt.file, []byte(tt.start)), " "); got != tt.want {
			t.Errorf("%s: %s with %.40q: got %q, want %q", tt.why, tt.file, tt.start, got, tt.want)
		}
	}
}

func TestInterpretedScript(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, start, want string }{
		{"the tool of the run command", "#!/usr/bin/env python3\n", "python3"},
		{"one of several tools", "#!/usr/bin/lua\n", "lua"},
		{"an interpreter that shares an extension", "#!/usr/bin/mawk -f\n", "mawk"},
		{"a runtime of compiled files does not count", "#!/usr/bin/env node\n", "javascript"},
		{"a virtual machine is no interpreter", "#!/usr/bin/java\n", ""},
		{"an interpreter of no language", "#!/usr/bin/python9\n", ""},
		{"no first line for an interpreter", "print(1)\n", ""},
	} {
		if got := strings.Join(interpreted(Defaults(), []byte(tt.start)), " "); got != tt.want {
			t.Errorf("%s: %q: got %q, want %q", tt.why, tt.start, got, tt.want)
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
		command, want string // lists of arguments, separated by |
	}{
		{"the tool is replaced by its path", "gcc|-O2", "/usr/bin/gcc|-O2"},
		{"a tool that is not the first word stays as it is", "sh|gcc", "sh|gcc"},
		{"a placeholder that is a whole argument becomes one argument for each value", "gcc|-o|{exe}|{src}|-lm", "/usr/bin/gcc|-o|.program|a.c|b b.c|-lm"},
		{"a placeholder within an argument", "gcc|-o={exe}", "/usr/bin/gcc|-o=.program"},
		{"two placeholders in one argument", "cat|{dir}/{main}", "cat|./a.c"},
		{"a placeholder without a value is left for the run", "java|-Xmx{memory}", "java|-Xmx{memory}"},
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
		{"the beginning of a long text, with a note", []string{"0123456789", "0123456789", "0123456789", "0123456789", "more"}, "0123456789012345678901234567890123456789\n[output truncated]"},
		{"cut within a write", []string{strings.Repeat("x", 50)}, strings.Repeat("x", 40) + "\n[output truncated]"},
		{"file names without the folder of the jail", []string{"/build/a.c: in /build/a.h"}, "a.c: in a.h"},
		{"without the go command's title line", []string{"# command-line-arguments\n./a.go:1\n"}, "./a.go:1"},
		{"invalid UTF-8 is replaced", []string{"caf\xe9\n"}, "caf\uFFFD"},
	} {
		h := &head{limit: 40, dir: buildDir}
		for _, w := range tt.writes {
			if n, err := h.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: Write returned %d of %d, %v: it must accept everything", tt.why, n, len(w), err)
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
