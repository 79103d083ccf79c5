package cases

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lockOf returns the lock of the texts of a case.
func lockOf(c Case) (l LockCase) {
	if c.Input != nil {
		l.Input = Hash([]byte(*c.Input))
	}
	if c.Output != nil {
		l.Output = Hash([]byte(*c.Output))
	}
	return l
}

// locked writes a case file, and a lock with its inputs and outputs, below a new root. It returns
// the root and the path of the file.
func locked(t testing.TB, text string) (root, file string) {
	t.Helper()
	list, err := parse("edge.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l := &Lock{Cases: map[string]LockCase{}}
	for _, c := range list {
		l.Cases[c.Name] = lockOf(c)
	}
	root = repository(t, map[string]string{"cases/x/edge.yaml": text, "cases/x/lock.yaml": string(l.Marshal())})
	file = filepath.Join(root, "cases/x/edge.yaml")
	if _, err := Load(root, "x"); err != nil {
		t.Fatal(err)
	}
	return root, file
}

// TestDamage damages a case file as editors, version control and full disks do.
func TestDamage(t *testing.T) {
	t.Parallel()
	text := lines("# Comment.", // line 1
		"cases:",
		"  - name: walls",
		"    note: Blanks in the input, a table in the output.",
		"    input: |", // line 5
		"      3 4  ",
		"      # #\t#",
		"",
		"    pinned: true",
		"    output: |2+", // line 10
		"       _ é",
		"      |_|",
		"",
		"",
		"  - name: last", // line 15
		"    input: \"1 \\r\\n\"",
		"    output: |+",
		"      2",
		"",
		"...") // line 20
	root, file := locked(t, text)
	const (
		mended = " (hint: run judge regen x, or restore the file)"
		crlf   = ": CRLF line ends; expected outputs would be wrong (hint: save the file with LF line ends, or, if git made them, write \"* -text\" to .gitattributes and check the files out again)"
		marker = ": no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"
	)
	all := func(old, new string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, old, new) }
	}
	once := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	pattern := func(old, new string) func(string) string {
		return func(s string) string { return regexp.MustCompile(old).ReplaceAllString(s, new) }
	}
	for _, tt := range []struct {
		why    string
		damage func(string) string
		want   string // the error after the name of the file; "" if the damage changes no text of a case
	}{
		{"an editor trims the ends of lines", pattern(`(?m)[ \t]+$`, ""), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"an editor trims the end of one line", once("3 4  ", "3 4"), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"empty lines are trimmed to one", all("\n\n\n", "\n\n"), ":10: case walls: output does not match lock.yaml: its last line end is missing" + mended},
		{"all empty lines are removed", pattern(`\n\n+`, "\n"), ":9: case walls: output does not match lock.yaml: its last 2 line ends are missing" + mended},
		{"the last empty line is removed", once("2\n\n", "2\n"), ":17: case last: output does not match lock.yaml: its last line end is missing" + mended},
		{"the last empty line and the end marker are removed", once("\n\n...\n", "\n"), ":18" + marker},
		{"the end marker is removed", once("...\n", ""), ":18" + marker},
		{"the end marker is indented", once("\n...", "\n  ..."), ":20: not YAML: could not find expected ':' (hint: a key is followed by a colon and a blank)"},
		{"the file is cut short", func(s string) string { return s[:strings.Index(s, "|_|")+1] }, ":12" + marker},
		{"CRLF everywhere", all("\n", "\r\n"), ":1" + crlf},
		{"CRLF in one block", all("_|\n", "_|\r\n"), ":12" + crlf},
		{"CRLF at the very end", once("...\n", "...\r\n"), ":20" + crlf},
		{"the line ends of old Macs", all("\n", "\r"), `:1: carriage return within a line (hint: write it as "\r" in a double-quoted text)`},
		{"one line end of old Macs", once("3 4", "3\r4"), `:6: carriage return within a line (hint: write it as "\r" in a double-quoted text)`},
		{"a carriage return at the end of the file", func(s string) string { return s + "\r" }, `:21: carriage return within a line (hint: write it as "\r" in a double-quoted text)`},
		{"a byte order mark", func(s string) string { return "\uFEFF" + s }, ":1: byte order mark (hint: save the file as UTF-8 without a byte order mark)"},
		{"a byte order mark in the middle", once("3 4", "3\uFEFF4"), `:6: byte order mark within the text (hint: write it as "\uFEFF" in a double-quoted text)`},
		{"another encoding", once("é", "\xe9"), ":11: invalid UTF-8: byte 0xE9 (hint: save the file as UTF-8)"},
		{"UTF-8 that was decoded as Latin-1", once("é", "Ã©"), ":10: case walls: output does not match lock.yaml: it was edited or trimmed" + mended},
		{"an accent as a combining character", once("é", "e\u0301"), ":10: case walls: output does not match lock.yaml: it was edited or trimmed" + mended},
		{"UTF-16", func(s string) string { return "\xff\xfe" + strings.ReplaceAll(s, "", "\x00") }, ":1: invalid UTF-8: byte 0xFF (hint: save the file as UTF-8)"},
		{"indentation by tabs", pattern(`(?m)^ {6}`, "\t"), ":6: not YAML: found a tab character where an indentation space is expected (hint: indent with spaces, not tabs)"},
		{"part of the indentation by tabs", pattern(`(?m)^ {6}`, "    \t"), ":6: not YAML: found a tab character where an indentation space is expected (hint: indent with spaces, not tabs)"},
		{"blanks instead of tabs", all("\t", "    "), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"tabs instead of blanks", once("3 4  ", "3 4\t"), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"a no-break space", once("3 4", "3\u00a04"), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"typographic quotes", pattern(`"(.*)"`, "“$1”"), ":16: case last: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"a wrapped line", once("3 4", "3\n      4"), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"an additional empty line", once("2\n\n", "2\n\n\n"), ":17: case last: output does not match lock.yaml: it was edited or trimmed" + mended},
		{"a removed indentation indicator", once("|2+", "|+"), ":12: not YAML: did not find expected comment or line break (hint: indent each line of a block deeper than its key, and none less than the first)"},
		{"a removed sign that keeps empty lines", once("|2+", "|2"), ":10: case walls: output does not match lock.yaml: its last 2 line ends are missing" + mended},
		{"a changed sign that keeps empty lines", once("output: |+", "output: |-"), ":17: case last: output does not match lock.yaml: its last 2 line ends are missing" + mended},
		{"a block moved to the right", pattern(`(?m)^ {6}`, "        "), ":10: case walls: output does not match lock.yaml: it was edited or trimmed" + mended},
		{"a block folded into lines", once("input: |", "input: >"), ":5: case walls: input does not match lock.yaml: it was edited or trimmed" + mended},
		{"no final line end", func(s string) string { return strings.TrimSuffix(s, "\n") }, ""},
		{"blanks after the marker", func(s string) string { return s + "\n  \n" }, ""},
		{"a removed comment", once("# Comment.\n", ""), ""},
	} {
		damaged := tt.damage(text)
		if damaged == text {
			t.Errorf("%s: no damage", tt.why)
		}
		if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(root, "x")
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != file+tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.why, err, tt.want)
		}
	}
}

// TestDamageAnywhere damages each line of case files of this repository in several ways. The file
// must be refused with its path and line, or keep its meaning.
func TestDamageAnywhere(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../cases/*/sample.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	located := regexp.MustCompile(`^edge\.yaml:\d+: .+$`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := parse("edge.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]Case{}
		for _, c := range want {
			c.Lock = lockOf(c)
			known[c.Name] = c
		}
		whole := strings.SplitAfter(string(text), "\n")
		refused := 0
		for i, line := range whole {
			end := strings.TrimSuffix(line, "\n")
			for _, damaged := range []string{
				"", line + line, end, end + "\r\n", end + "\r", end + " \n", end + "\t\n", "\n" + line, line + "\n", "\t" + line, " " + line, "  " + line,
				strings.TrimLeft(line, " "), strings.TrimPrefix(line, " "), strings.TrimPrefix(line, "  "), strings.Replace(line, "      ", "\t", 1),
				strings.TrimSpace(line) + "\n", strings.Replace(line, " ", "\u00a0", 1), strings.Replace(line, " ", "", 1), strings.TrimRight(end, "+-2") + "\n",
			} {
				text := strings.Join(whole[:i], "") + damaged + strings.Join(whole[i+1:], "")
				got, err := parse("edge.yaml", []byte(text))
				for i := range got {
					c := &got[i]
					c.Lock = known[c.Name].Lock
					if err == nil {
						err = c.checkLock("x")
					}
				}
				if err != nil {
					refused++
					says := err.Error()
					if !located.MatchString(says) || strings.Contains(says, ": not YAML: ") && !strings.Contains(says, " (hint: ") {
						t.Errorf("%s:%d as %q: %v", name, i+1, damaged, err)
					}
					continue
				}
				for _, c := range got {
					if old, ok := known[c.Name]; ok && !(same(old.Input, c.Input) && same(old.Output, c.Output)) {
						t.Errorf("%s:%d as %q is read without an error: case %s", name, i+1, damaged, c.Name)
					}
				}
			}
		}
		if refused < len(whole) {
			t.Errorf("%s: only %d kinds of damage were refused", name, refused)
		}
	}
}
