package docs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A command is a command of a page, and what the page shows of its output, or a file that a reader is
// to write.
type command struct {
	page   string
	line   int    // of the command, from 1
	name   string // the command without a comment, and without lines after the first
	text   string
	output []string // lines; nil also if the page shows none
	shown  bool     // the page shows the output
	file   bool     // name is that of a file, whose text is output
}

func (c command) place() string { return fmt.Sprintf("%s:%d", c.page, c.line) }

// commands returns the commands of a page. Two kinds of blocks have commands: a session is a block
// without a language in which lines begin with "$ ", or the first with "# " as root, and the other
// lines are output; a block of the language sh has commands only, one on each line unless a line ends
// with a backslash or a pipe. A block of another language with the name of a file, as in
// "```python sum.py", is a file. Lists may indent a block.
func commands(page, text string) (list []command) {
	const none, session, script, file, other = 0, 1, 2, 3, 4
	in, indent := none, ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		if language, ok := strings.CutPrefix(trimmed, "```"); ok {
			switch {
			case in != none:
				in = none
			case language == "":
				in = session
			case language == "sh":
				in = script
			case strings.Contains(language, " "):
				in = file
				_, name, _ := strings.Cut(language, " ")
				list = append(list, command{page: page, line: i + 1, name: name, text: name, file: true})
			default:
				in = other
			}
			indent = line[:len(line)-len(trimmed)]
			continue
		}
		line = strings.TrimPrefix(line, indent)
		last := len(list) - 1
		switch in {
		case session:
			prompt, rest, ok := strings.Cut(line, " ")
			root := prompt == "#" && (last < 0 || list[last].line+len(list[last].output) < i)
			if ok && (prompt == "$" || root) {
				list = append(list, command{page: page, line: i + 1, name: rest, text: rest, shown: true})
			} else if last >= 0 && list[last].shown && list[last].line+len(list[last].output) == i {
				list[last].output = append(list[last].output, line)
			}
		case file:
			list[last].output = append(list[last].output, line)
		case script:
			if last >= 0 && list[last].line+strings.Count(list[last].text, "\n") == i && continued.MatchString(list[last].text) {
				list[last].text += "\n" + line
			} else if line != "" && !strings.HasPrefix(line, "#") {
				list = append(list, command{page: page, line: i + 1, name: comment.ReplaceAllString(line, ""), text: line})
			}
		}
	}
	return list
}

var (
	continued = regexp.MustCompile(`(\\|\||&&)$`)
	comment   = regexp.MustCompile(` +(# .*|\\|\||&&)$`)
)

// A variable is text of outputs that is different each time: what find finds in a page stands for
// whatever matches it.
type variable struct {
	find *regexp.Regexp
	any  string // a pattern; "" if the text does not vary after all
}

const (
	number = `(?:[≥≤] |±)?\d[\d.,]*`
	times  = number + ` ?(?:ns|µs|ms|s|min)\b`
	sizes  = number + ` ?(?:B|KiB|MiB|GiB)\b`
	rates  = `\d+ a second`
	ratios = `(?:over )?` + number + ` ?[%×]`
)

// measured are the variables of all pages: amounts of time and memory, except limits, which stand
// after "of".
var measured = []variable{
	{regexp.MustCompile(`of (?:` + times + `|` + sizes + `)`), ""},
	{regexp.MustCompile(times), times},
	{regexp.MustCompile(sizes), sizes},
	{regexp.MustCompile(rates), rates},
	{regexp.MustCompile(ratios), ratios},
	{regexp.MustCompile(`_ns": ?\d+`), `_ns": ?\d+`},
	{regexp.MustCompile(`\bgo1\.\d+\.\d+`), `go1\.[\w.]+`},
}

// cached matches what depends on earlier tests, which share a cache, and busy what a page may leave out: the
// notes about other programs on this host, and how far the judge is, which it says when that takes long. weak
// matches what is printed where the jail is not the strongest one; a page may show it.
var (
	weak   = regexp.MustCompile(`(?m)^(sandbox: |note: no cgroups here).*\n`)
	cached = regexp.MustCompile(`, \d+ cached|, \d+ of them from the cache`)
	busy   = regexp.MustCompile(`(?m)^(note: (CPUs shared|this host is busy|known gaps here|wall: not measured)|judge: [^\n]* · \d+:\d\d\b).*\n`)
)

// matches reports whether a page shows the output got. If not, n is how many lines of the page match
// its beginning. … in a page is any text, and alone on a line any number of lines; ^C alone on a line
// is a key. If an output has
// variables, then all its columns may have other widths.
func (c command) matches(got string, more ...variable) (n int, ok bool) {
	if !c.shown {
		return 0, true
	}
	got = busy.ReplaceAllString(cached.ReplaceAllString(got, ""), "")
	if !weak.MatchString(strings.Join(c.output, "\n") + "\n") {
		got = weak.ReplaceAllString(got, "")
	}
	variables := slices.Concat(more, measured)
	varies := slices.ContainsFunc(c.output, func(line string) bool {
		return slices.ContainsFunc(variables, func(v variable) bool { return v.find.MatchString(line) })
	})
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	prefix := func(end string) bool {
		return regexp.MustCompile(pattern.String() + end).MatchString(got)
	}
	for i, line := range c.output {
		if line != "^C" && !busy.MatchString(line+"\n") {
			pattern.WriteString(linePattern(cached.ReplaceAllString(line, ""), variables, varies))
		}
		if !prefix("") {
			return i, false
		}
	}
	return len(c.output), prefix(`\z`)
}

// linePattern returns a pattern of the lines that a line of a page stands for.
func linePattern(line string, variables []variable, varies bool) string {
	if strings.TrimSpace(line) == "…" {
		return `(?:[^\n]*\n)*?`
	}
	var b strings.Builder
	literal := func(text string) {
		for i, part := range strings.Split(text, "…") {
			if i > 0 {
				b.WriteString(`[^\n]*`)
			}
			part = regexp.QuoteMeta(part)
			if varies {
				part = blanks.ReplaceAllString(part, `[ ]+`)
			}
			b.WriteString(part)
		}
	}
	for line != "" {
		begin, end, pattern := len(line), len(line), ""
		for _, v := range variables {
			if at := v.find.FindStringIndex(line); at != nil && at[0] < begin {
				begin, end, pattern = at[0], at[1], v.any
			}
		}
		literal(line[:begin])
		if pattern != "" {
			fmt.Fprintf(&b, `[ ]*(?:%s)`, pattern)
		} else {
			literal(line[begin:end])
		}
		line = line[end:]
	}
	return strings.TrimRight(b.String(), " ") + ` *\n`
}

// blanks separate columns.
var blanks = regexp.MustCompile(`  +`)

func TestCommands(t *testing.T) {
	t.Parallel()
	page := "Text.\n\n```\n$ judge a\nx 3 ms\n…\n$ judge b\n```\n\n```sh\njudge c   # why\njudge d |\n  sort\n\njudge e\n# no command\n```\n\n```\n$ echo\n\n```\n```yaml\n$ no: command\n```\n```c a/b.c\nint x;\n```\n" +
		"- item\n  ```\n  # judge f\n  out\n  # out\n  ```\n"
	want := []command{
		{line: 4, name: "judge a", text: "judge a", output: []string{"x 3 ms", "…"}, shown: true},
		{line: 7, name: "judge b", text: "judge b", shown: true},
		{line: 11, name: "judge c", text: "judge c   # why"},
		{line: 12, name: "judge d", text: "judge d |\n  sort"},
		{line: 15, name: "judge e", text: "judge e"},
		{line: 20, name: "echo", text: "echo", output: []string{""}, shown: true},
		{line: 26, name: "a/b.c", text: "a/b.c", output: []string{"int x;"}, file: true},
		{line: 31, name: "judge f", text: "judge f", output: []string{"out", "# out"}, shown: true},
	}
	if diff := cmp.Diff(want, commands("", page), cmp.AllowUnexported(command{})); diff != "" {
		t.Errorf("commands differ (-want +got):\n%s", diff)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why, page, got string
		lines          int
		ok             bool
	}{
		{"the same", "a\nb", "a\nb\n", 2, true},
		{"another line", "a\nb", "a\nc\n", 1, false},
		{"more lines", "a", "a\nb\n", 1, false},
		{"fewer lines", "a\nb", "a\n", 1, false},
		{"elided lines", "a\n…\nd", "a\nb\nc\nd\n", 3, true},
		{"no elided line", "a\n…\nd", "a\nd\n", 3, true},
		{"elided text", "a … d", "a b c d\n", 1, true},
		{"a measured time and memory", "cpu 3 ms, 1.5 MiB", "cpu 1.25 s, 900 KiB\n", 1, true},
		{"a measured time is a time", "cpu 3 ms", "cpu 3 MiB\n", 0, false},
		{"a limit does not vary", "cpu 3 ms of 1 s", "cpu 3 ms of 2 s\n", 0, false},
		{"a count does not vary", "3 cases in 4 ms", "4 cases in 4 ms\n", 0, false},
		{"columns beside a measured value", "a   3 ms  b", "a  3.25 ms  b\n", 1, true},
		{"columns of words do not vary", "a   b", "a  b\n", 0, false},
		{"nanoseconds in JSON", `{"elapsed_ns":3}`, "{\"elapsed_ns\":45}\n", 1, true},
		{"how far the judge is on a slow host", "a\nb", "judge: checking x 1/2 · 0:30 · about 0:10 left\na\njudge: measuring · 1:00\nb\n", 2, true},
		{"a note about the host", "a\nb", "a\nnote: this host is busy, as usual\nb\n", 2, true},
		{"what an ordinary user sees", "a\n\nb", "a\nsandbox: container; cpu\nnote: no cgroups here: no\n\nb\n", 3, true},
		{"what an ordinary user sees, shown", "a\nsandbox: container; …\nb", "a\nsandbox: rlimit; cpu\nb\n", 1, false},
		{"an own variable", "a 17 b", "a 18 b\n", 1, true},
		{"a pattern in the page is text", "a.c", "abc\n", 0, false},
	} {
		c := command{output: strings.Split(test.page, "\n"), shown: true}
		if n, ok := c.matches(test.got, variable{regexp.MustCompile(`\b1\d\b`), `\b1\d\b`}); n != test.lines || ok != test.ok {
			t.Errorf("%s: %d lines, %v; want %d, %v", test.why, n, ok, test.lines, test.ok)
		}
	}
}
