package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
)

// repository is the root of this repository.
const repository = "../../.."

var references = []string{"dicey", "game", "marble", "maze", "slink"}

// derive returns the schema of a program in a folder below root.
func derive(t testing.TB, root, folder string) *Schema {
	t.Helper()
	languages := build.Defaults()
	s, err := build.OpenOwn(root, folder, languages)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := Derive(s, languages)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// deriveText returns the schema of a Go program of one file with this text.
func deriveText(t testing.TB, text string) *Schema {
	t.Helper()
	root := t.TempDir()
	write(t, root, map[string][]byte{"p/main.go": []byte(text)})
	return derive(t, root, "p")
}

func write(t testing.TB, dir string, texts map[string][]byte) {
	t.Helper()
	for name, text := range texts {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compile builds the package of that file. It returns the executable, or the messages of the
// compiler.
func compile(t testing.TB, texts map[string][]byte, file string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, texts)
	if texts["go.mod"] == nil {
		write(t, dir, map[string][]byte{"go.mod": []byte("module program\n\ngo 1.26\n")})
	}
	exe := filepath.Join(dir, "program.exe")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", exe, "./"+filepath.Dir(file))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s", out)
	}
	return exe, nil
}

// own returns the path of a mutant's file within its schema's source.
func (s *Schema) own(m Mutant) string {
	for file := range s.Source.Texts() {
		if file == m.File || strings.HasSuffix(m.File, "/"+file) {
			return file
		}
	}
	panic("no file " + m.File)
}

// outcome runs a program on an input. It returns its output, and in stderr also its exit status, or
// a message that it did not end: it used a second of CPU time, or sleeps.
func outcome(exe, input, mutant string) (stdout, stderr string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -t 1; exec "$0"`, exe)
	cmd.Env = append(os.Environ(), Variable+"="+mutant)
	cmd.Stdin = strings.NewReader(input)
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &limited{&out}, &limited{&bad}
	err := cmd.Run()
	switch {
	case ctx.Err() != nil, errors.Is(err, errTooMuch), err != nil && err.Error() == "signal: killed":
		return "does not end", ""
	case err != nil:
		return out.String() + err.Error(), bad.String()
	}
	return out.String(), bad.String()
}

// limited ends a program that prints without end.
type limited struct{ *bytes.Buffer }

var errTooMuch = errors.New("too much")

func (l *limited) Write(p []byte) (int, error) {
	if l.Len() > 1<<20 {
		return 0, errTooMuch
	}
	return l.Buffer.Write(p)
}

const variedInput = "12\n; a comment\n3\n5\n1_0\n9\n"

// TestMutantIsItsSource compares each mutant in a schema with the program in which the same change
// is made to the source.
func TestMutantIsItsSource(t *testing.T) {
	t.Parallel()
	schema := derive(t, ".", "testdata/varied")
	exe, err := compile(t, schema.Source.Texts(), schema.own(schema.Mutants[0]))
	if err != nil {
		t.Fatal(err)
	}
	originals := map[string][]byte{}
	for _, m := range schema.Mutants {
		originals[schema.own(m)] = []byte(schema.edits[m.ID-1].original)
	}
	right, err := compile(t, originals, "main.go")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := outcome(right, variedInput, "")
	for _, none := range []string{"", "0", Sites} {
		if got, _ := outcome(exe, variedInput, none); got != want {
			t.Errorf("%s=%s: got %s, want %s", Variable, none, got, want)
		}
	}
	step := 83
	switch {
	case testing.Short():
		step = 163
	case tier.All():
		step = 37
	}
	told := 0
	for i := 0; i < len(schema.Mutants); i += step {
		m := schema.Mutants[i]
		e := schema.edits[i]
		texts := maps.Clone(originals)
		texts[schema.own(m)] = []byte(e.original[:e.start] + e.text + e.original[e.end:])
		byHand, err := compile(t, texts, "main.go")
		if err != nil {
			// The change may leave something unused.
			if !strings.Contains(err.Error(), "declared and not used") && !strings.Contains(err.Error(), "imported and not used") {
				t.Errorf("%+v does not compile: %v\n%s", m, err, schema.Diff(m))
			}
			continue
		}
		mutated, _ := outcome(byHand, variedInput, "")
		got, _ := outcome(exe, variedInput, fmt.Sprint(m.ID))
		// While a panic in a goroutine ends the program, its deferred calls let main go on: how far
		// main gets, even to its own end, is a matter of chance.
		chance := m.Func == "parallel" && (crashed(got) || crashed(mutated))
		if got != mutated && !chance {
			t.Errorf("%+v: got %s, by hand %s\n%s", m, got, mutated, schema.Diff(m))
		}
		if mutated != want {
			told++
		}
	}
	if told == 0 {
		t.Error("no mutant makes a difference")
	}
}

func crashed(outcome string) bool { return strings.HasSuffix(outcome, "exit status 2") }

// TestReferences builds the schema of each reference. Without a mutant it must print the same as
// the reference for every input that is written out in the cases.
func TestReferences(t *testing.T) {
	t.Parallel()
	for _, id := range references {
		t.Run(id, func(t *testing.T) {
			switch id {
			case "game":
			case "marble": // its schema takes longer to compile than all others
				tier.T3(t, "the schema of marble")
			default:
				tier.T2(t, "the schema of "+id)
			}
			t.Parallel()
			schema := derive(t, repository, "reference/"+id)
			exe, err := compile(t, schema.Source.Texts(), schema.own(schema.Mutants[0]))
			if err != nil {
				t.Fatal(err)
			}
			set, err := cases.Load(repository, id)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, c := range set.Cases {
				if c.Input == nil || c.Output == nil {
					continue
				}
				for _, mode := range []string{"", Sites} {
					if got, _ := outcome(exe, *c.Input, mode); got != *c.Output {
						t.Errorf("%s, %s=%s: got %q, want %q", c.Name, Variable, mode, got, *c.Output)
					}
				}
				compared++
			}
			if compared == 0 {
				t.Error("no case compared")
			}
			t.Logf("%d mutants at %d sites, %d left out", len(schema.Mutants), schema.Sites, schema.Left)
		})
	}
}

func TestDeriveTwice(t *testing.T) {
	t.Parallel()
	a, b := derive(t, ".", "testdata/varied"), derive(t, ".", "testdata/varied")
	if !maps.EqualFunc(a.Source.Texts(), b.Source.Texts(), bytes.Equal) || !slices.Equal(a.Mutants, b.Mutants) {
		t.Error("another schema of the same source")
	}
	known := map[string]bool{}
	for _, op := range Operators() {
		known[op.Name] = true
	}
	for i, m := range a.Mutants {
		if m.ID != i+1 || m.Site < 0 || m.Site >= a.Sites || !known[m.Op] || m.Before == m.After {
			t.Errorf("mutant %d: %+v", i+1, m)
		}
		if i > 0 && (m.Line < a.Mutants[i-1].Line || m.Line == a.Mutants[i-1].Line && m.Column < a.Mutants[i-1].Column) {
			t.Errorf("%+v comes after %+v", m, a.Mutants[i-1])
		}
	}
}

// TestCodes checks what guards rely on: no code contains all bits of another.
func TestCodes(t *testing.T) {
	t.Parallel()
	list := codes(20_000)
	seen := map[uint32]bool{}
	for _, c := range list {
		if bits.OnesCount32(c) != 16 || seen[c] {
			t.Fatalf("%#x is not a code, or one twice", c)
		}
		seen[c] = true
	}
}
