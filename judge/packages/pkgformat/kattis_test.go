package pkgformat

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/packages/archive"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
)

// unpack writes the files of a txtar archive into a new folder called hello and returns its path.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "hello")
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if strings.HasSuffix(f.Name, "/") {
			if err := os.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		data := f.Data
		if len(data) > 0 && strings.HasSuffix(f.Name, ".timelimit") {
			data = data[:len(data)-1] // tools write .timelimit without a newline
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read opens a package and closes it at the end of the test. It checks that a root around the
// package changes nothing.
// caseOf returns the case of that name; nil for none.
func caseOf(p *draft.Draft, name string) *draft.Case {
	for _, c := range p.Cases {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// openDraft is like Open, but returns the draft.
func openDraft(ctx context.Context, path string, o Options) (*draft.Draft, error) {
	return open(ctx, path, o, archive.Usual())
}

func readPackage(t testing.TB, dir string) *draft.Draft {
	t.Helper()
	p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	below, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir()), Root: filepath.Dir(dir)})
	if err != nil {
		t.Fatalf("with a root: %v", err)
	}
	defer below.Close()
	if !slices.Equal(facts(below), facts(p)) || !slices.Equal(below.Notes, p.Notes) {
		t.Errorf("with a root it becomes another package: %q, with notes %q", facts(below), below.Notes)
	}
	return p
}

// facts describes a package, one fact a line.
func facts(p *draft.Draft) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, strings.TrimSpace(fmt.Sprintf(format, args...))) }
	add("format %s", p.Format)
	add("name %s", p.Title)
	for _, code := range draft.SortedKeys(p.Names) {
		add("name[%s] %s", code, p.Names[code])
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"scoring", p.Scoring}, {"interactive", p.Validation.Interactive}, {"multi-pass", p.Validation.Passes > 1}, {"submit-answer", p.OutputOnly}, {"writes files", p.Format == kattis.Latest && !p.ReadOnly}} {
		if f.set {
			add("%s", f.name)
		}
	}
	if p.InFile+p.OutFile != "" {
		add("files %v", strings.Fields(p.InFile+" "+p.OutFile))
	}
	add("passes %d", p.Validation.Passes)
	add("time %v from %s, ×%v ×%v in %v", p.Time.Limit, p.Time.From, p.Time.ACToLimit, p.Time.LimitToTLE, p.Time.Resolution)
	add("memory %v output %v code %v", p.Limits.Memory, p.Limits.Output, p.Code)
	add("compile %v %v, validate %v %v %v", p.Compile.CPU, p.Compile.Memory, p.Validate.CPU, p.Validate.Memory, p.Validate.Output)
	add("languages %v", p.Languages)
	add("validated by %v with %s, headers %v", p.Validation.Programs, p.Validation.Protocol, p.Validation.Headers)
	if p.Validation.Interactor != "" {
		add("interactor %s", p.Validation.Interactor)
	}
	add("inputs validated by %v with %s", p.InputPrograms, p.InputProtocol)
	add("answers validated by %v", p.AnswerPrograms)
	for _, i := range p.Include {
		texts, _ := i.Read()
		add("include %v for %s", draft.SortedKeys(texts), i.Language)
	}
	for _, s := range p.Statements {
		add("statement %s in %s", s.Path, s.Language)
	}
	for _, c := range p.Cases {
		add("case %s", c.Name)
		add("case %s in %s: %s %s", c.Name, c.Group, c.Input, c.Answer)
		add("case %s args %q input %q output %q", c.Name, c.Args, c.InputArgs, c.OutputArgs)
		if c.Points != 0 {
			add("case %s has %v points", c.Name, c.Points)
		}
		if a := c.AnswerArgs; a.All != nil || a.By != nil {
			add("case %s answer %q", c.Name, a)
		}
		if c.OutputValidator != "" {
			add("case %s validated by %s", c.Name, c.OutputValidator)
		}
		for _, f := range []string{c.Files, c.Interaction, c.HintFile, c.DescFile, c.Hint, c.Description} {
			if f != "" {
				add("case %s has %s", c.Name, f)
			}
		}
		for _, f := range c.Inside {
			add("case %s has the file %s", c.Name, f)
		}
	}
	special := map[string][]*draft.Case{"valid_input": p.ValidInput, "invalid_input": p.InvalidInput, "invalid_answer": p.InvalidAnswer, "invalid_output": p.InvalidOutput, "valid_output": p.ValidOutput}
	for _, kind := range draft.SortedKeys(special) {
		for _, c := range special[kind] {
			add("%s %s: %s %s %s", kind, c.Name, c.Input, c.Answer, c.Output)
		}
	}
	for _, s := range p.Submissions {
		add("%s: %v", s.Path, s.Expect)
		add("%s from %s", s.Path, s.Expect.From)
		if s.Language+s.Entrypoint != "" || s.Authors != nil || s.Model {
			add("%s is %s %s by %v model %v", s.Path, s.Language, s.Entrypoint, s.Authors, s.Model)
		}
	}
	return list
}

// wantFacts checks that the lines of want are facts of the package, in this order. A line after a !
// must not be a fact.
func wantFacts(t *testing.T, p *draft.Draft, want string) {
	t.Helper()
	got := facts(p)
	at := 0
	for line := range strings.Lines(want) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if not, ok := strings.CutPrefix(line, "!"); ok {
			if slices.Contains(got, not) {
				t.Errorf("unexpected: %s", not)
			}
			continue
		}
		i := slices.Index(got[at:], line)
		if i < 0 {
			t.Fatalf("missing, or not in this order: %s\ngot:\n  %s", line, strings.Join(got, "\n  "))
		}
		at += i + 1
	}
}

// wantNotes checks the notes about a package, without the path of the parent folder.
func wantNotes(t *testing.T, p *draft.Draft, want string) {
	t.Helper()
	var got []string
	for _, n := range p.Notes {
		got = append(got, strings.ReplaceAll(n, filepath.Dir(p.Path)+"/", ""))
	}
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(got, lines) {
		t.Errorf("notes:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(lines, "\n  "))
	}
}
