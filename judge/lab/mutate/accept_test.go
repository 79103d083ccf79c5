package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

const sums = `package main

type field [3]int

func (f *field) roll() {
	f[0]++
}

func main() {
	new(field).roll()
}
`

var golang = map[string]build.Language{"go": {Match: []string{".go"}}}

// load reads rules for the mutants of the program sums.
func load(t *testing.T, text string) (*Rules, error) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "reference/p/main.go": sums, "cases/p/mutants.yaml": text} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if text == "" {
		os.Remove(filepath.Join(root, "cases/p/mutants.yaml"))
	}
	source, err := build.OpenOwn(root, "reference/p", golang)
	if err != nil {
		t.Fatal(err)
	}
	return LoadRules(root, "p", source, golang)
}

func TestLoadRules(t *testing.T) {
	t.Parallel()
	op := Operators()[0].Name
	for _, tt := range []struct{ why, text, want string }{
		{"the file may have no rules", "", ""},
		{"all keys", "equivalent:\n  - in: main.go:field.roll\n    line: f[0]++\n    op: " + op + "\n    change: f[0]++ → f[0]--\n    reason: It is so.\n", ""},
		{"a file as a whole", "survive:\n  - in: main.go\n    reason: It is so.\n", ""},
		{"a reason must be given", "survive:\n  - in: main.go\n", `:2: survive: missing key "reason"`},
		{"a place too", "survive:\n  - reason: It is so.\n", `:2: survive: missing key "in"`},
		{"strict", "survive:\n  - in: main.go\n    reazon: x\n", `:3: survive: unknown field "reazon" (hint: did you mean "reason"?)`},
		{"no such file", "survive:\n  - in: mian.go\n    reason: x\n", `:2: no file "mian.go" in the reference (hint: did you mean main.go?)`},
		{"no such function", "survive:\n  - reason: x\n    in: main.go:field.rol\n", `:3: no function "field.rol" in the reference (hint: did you mean field.roll?)`},
		{"a method without its type", "survive:\n  - reason: x\n    in: main.go:x\n", `:3: no function "x" in the reference (hint: there are field.roll, main)`},
		{"no such line", "survive:\n  - in: main.go\n    line: f[0]--\n    reason: x\n", `:3: main.go has no line "f[0]--" (hint: write the line as it is now, or delete the rule)`},
		{"no such operator", "survive:\n  - in: main.go\n    op: " + op + "s\n    reason: x\n", `:3: no operator "` + op + `s" in the reference (hint: did you mean ` + op + `?)`},
	} {
		_, err := load(t, tt.text)
		if tt.want == "" && err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
		if located, ok := errors.AsType[*yamlstrict.Error](err); tt.want != "" && (!ok || !strings.Contains(located.Error(), "mutants.yaml"+tt.want)) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

// TestRules checks which survivors a rule explains, by each of its keys.
func TestRules(t *testing.T) {
	t.Parallel()
	op := Operators()[0].Name
	mutant := Mutant{File: "reference/p/main.go", Line: 6, Func: "field.roll", Op: op, Before: "f[0]++", After: "f[0]--"}
	for _, tt := range []struct {
		why, keys string
		want      bool
	}{
		{"the file", "in: main.go", true},
		{"the function", "in: main.go:field.roll", true},
		{"another function", "in: main.go:main", false},
		{"the line", `{in: main.go, line: "f[0]++"}`, true},
		{"another line", `{in: main.go, line: "package main"}`, false},
		{"the change", "in: main.go\n    change: f[0]++ → f[0]--", true},
		{"another change", "in: main.go\n    change: f[0]++ → f[1]++", false},
		{"the operator", "in: main.go\n    op: " + op, true},
		{"another operator", "in: main.go\n    op: " + Operators()[1].Name, false},
	} {
		keys := tt.keys
		if strings.HasPrefix(keys, "{") {
			keys = strings.TrimSuffix(keys, "}") + ", reason: x}"
		} else {
			keys += "\n    reason: x"
		}
		rules, err := load(t, "equivalent:\n  - "+keys+"\nsurvive:\n  - in: main.go\n    reason: y\n")
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		r := &Report{Whole: true, Cases: make([]Case, 1), Lines: Lines{"main.go": strings.Split(sums, "\n")}, Mutants: []Result{
			{Mutant: mutant},
			{Mutant: mutant, Fate: Unreached},
			{Mutant: mutant, Fate: Killed, Runs: []Run{{Verdict: verdict.WA}}},
		}}
		r.explain(rules)
		r.Summarize()
		explained := 0
		if tt.want {
			explained = 2
		}
		if got := r.Tally; got.Equivalent != explained || got.Survived != 2-explained || got.Unexplained != 0 || got.Wrong != 1 {
			t.Errorf("%s: %+v", tt.why, got)
		}
		if got := len(r.Stale()); (got == 0) != tt.want {
			t.Errorf("%s: %d rules are stale", tt.why, got)
		}
		r.Whole = false
		if r.Summarize(); len(r.Stale()) > 0 {
			t.Errorf("%s: a rule is stale although not all mutants were measured", tt.why)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	a, b := Operators()[0].Name, Operators()[1].Name
	s := &Schema{Mutants: []Mutant{
		{ID: 1, File: "reference/p/main.go", Func: "main", Op: a}, {ID: 2, File: "reference/p/main.go", Func: "main", Op: b},
		{ID: 3, File: "reference/p/main.go", Op: b}, {ID: 4, File: "reference/p/input.go", Func: "read", Op: a}, {ID: 5, File: "reference/p/input.go", Func: "read", Op: a},
	}}
	for _, tt := range []struct {
		o    Selection
		want string
	}{
		{Selection{}, "12345"},
		{Selection{Op: a}, "145"},
		{Selection{In: "main.go"}, "123"},
		{Selection{In: "reference/p/main.go:main", Op: b}, "2"},
		{Selection{In: "main.go:main", Op: b}, "2"},
		{Selection{ID: 4}, "4"},
		{Selection{Sample: 2}, "135"},
		{Selection{Op: a, Sample: 2}, "15"},
		{Selection{ID: 6}, "no mutant is selected (hint: there are 5, numbered from 1)"},
		{Selection{In: "man.go"}, `--in: no file "man.go" in the reference (hint: did you mean main.go?)`},
		{Selection{In: "input.go:main"}, `--in: no function "main" in the reference (hint: there are read)`},
		{Selection{Op: a + "x"}, `--op: no operator "` + a + `x" in the reference (hint: did you mean ` + a + `?)`},
	} {
		got := ""
		list, err := s.Select(tt.o)
		for _, m := range list {
			got += string(rune('0' + m.ID))
		}
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.o, got, tt.want)
		}
	}
}
