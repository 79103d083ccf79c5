package likeness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// languages of the example submissions that are compared.
var languages = map[string]string{".c": "c", ".cpp": "cpp", ".py": "python3", ".js": "javascript", ".rs": "rust", ".java": "java"}

// examples returns the single-file submissions of a problem that are to be accepted: independent
// solutions by other ideas, of which several are in the same language.
func examples(t *testing.T, pattern string) (list []Program) {
	t.Helper()
	names, err := filepath.Glob("../../../reference/" + pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	for _, n := range names {
		language := languages[filepath.Ext(n)]
		if text, err := os.ReadFile(n); err == nil && language != "" {
			list = append(list, Program{n, language, string(text)})
		}
	}
	return list
}

// TestHonest finds no pair among independent solutions.
func TestHonest(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"dicey", "game", "marble", "maze", "slink"} {
		list := examples(t, id+"/submissions/accepted/*")
		pairs, err := Find(context.Background(), list, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pairs {
			t.Errorf("%s and %s share %.2f, %d tokens: %v", list[p.A].Name, list[p.B].Name, p.Shared, p.Tokens, p.Parts)
		}
	}
}

// TestSame finds programs that are the same, however short they are.
func TestSame(t *testing.T) {
	t.Parallel()
	short := func(name, language, text string) Program { return Program{name, language, text} }
	list := []Program{
		short("a", "c", "main(){}"), short("b", "python3", "print(1)"), short("c", "c", "main(){}"), short("d", "python3", "print(2)"),
		short("e", "python3", "print(1)"), short("f", "cpp", "main(){}"), short("g", "c", "main(){} "), short("h", "c", "main(){}"),
		short("i", "c", "given"), short("j", "c", "given"),
	}
	got := fmt.Sprint(Same(list, []Program{short("template", "c", "given")}))
	if want := "[[0 2 7] [1 4]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if pairs, err := Find(context.Background(), list, nil); err != nil || len(pairs) > 0 {
		t.Errorf("short programs make pairs: %v %v", pairs, err)
	}
}

var (
	identifier = regexp.MustCompile(`\b[A-Za-z_][A-Za-z0-9_]*\b`)
	literal    = regexp.MustCompile(`\b[0-9]+\b`)
	statement  = regexp.MustCompile(`;\n`)
)

// disguise changes a C or C++ program as somebody would who hides a copy: other names and numbers,
// comments, layout, and statements that do nothing.
func disguise(rng *rand.Rand, text string, dead float64) string {
	keep, renamed := words(), map[string]string{}
	text = identifier.ReplaceAllStringFunc(text, func(w string) string {
		if keep[w] || strings.HasPrefix(w, "include") {
			return w
		}
		if renamed[w] == "" {
			renamed[w] = fmt.Sprintf("q%d_", rng.IntN(1e6))
		}
		return renamed[w]
	})
	text = literal.ReplaceAllStringFunc(text, func(string) string { return fmt.Sprint(rng.IntN(1000)) })
	return statement.ReplaceAllStringFunc(text, func(string) string {
		s := ";\n" + strings.Repeat("\t", rng.IntN(4)) + "/* step " + fmt.Sprint(rng.IntN(100)) + " */\n"
		if rng.Float64() < dead {
			s += fmt.Sprintf("(void)%d;\n", rng.IntN(100))
		}
		return s
	})
}

// functions splits a program before lines that begin with a letter after an empty line, and puts the
// parts into another order.
func shuffled(rng *rand.Rand, text string) string {
	parts := strings.Split(text, "\n\n")
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, "\n\n")
}

// TestDisguised finds each disguised copy among all other solutions, and nothing else.
func TestDisguised(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, id := range []string{"dicey", "game", "marble", "maze", "slink"} {
		list := examples(t, id+"/submissions/accepted/*")
		n := len(list)
		for i := range n {
			p := list[i]
			if p.Language != "c" && p.Language != "cpp" || len(scan(p)) < 2*leastTokens {
				continue
			}
			for _, how := range []struct {
				name string
				text string
			}{
				{"names, numbers, comments and layout", disguise(rng, p.Text, 0)},
				{"parts in another order", shuffled(rng, disguise(rng, p.Text, 0))},
				{"every fifth statement is new", disguise(rng, p.Text, 0.2)},
			} {
				all := append(list[:n:n], Program{"copy", p.Language, how.text})
				pairs, err := Find(context.Background(), all, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(pairs) != 1 || pairs[0].A != i || pairs[0].B != n {
					t.Errorf("%s, %s: %+v", p.Name, how.name, pairs)
				}
			}
		}
	}
}

// TestTemplate ignores what all were given.
func TestTemplate(t *testing.T) {
	t.Parallel()
	list := examples(t, "game/submissions/accepted/*.c")
	given := list[0]
	a, b := Program{"a", "c", given.Text + "int first(int x) { return x + 1; }\n"}, Program{"b", "c", given.Text + "long second(long y, long z) { while (y < z) y *= 2; return y; }\n"}
	for _, tt := range []struct {
		base []Program
		want int
	}{{nil, 1}, {[]Program{given}, 0}} {
		pairs, err := Find(context.Background(), []Program{a, b}, tt.base)
		if err != nil || len(pairs) != tt.want {
			t.Errorf("with %d templates: %+v, %v", len(tt.base), pairs, err)
		}
	}
}

// TestGuarantee checks the promise of winnowing: programs with a common part of guarantee tokens have
// a common fingerprint.
func TestGuarantee(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	tokens := func(n int) []token {
		list := make([]token, n)
		for i := range list {
			list[i].hash = rng.Uint64N(8)
		}
		return list
	}
	for round := range 500 {
		common := tokens(guarantee)
		prints := map[uint64]bool{}
		join := func(parts ...[]token) (all []token) {
			for _, p := range parts {
				all = append(all, p...)
			}
			return all
		}
		a, b := grams(join(tokens(rng.IntN(40)), common, tokens(rng.IntN(40)))), grams(join(tokens(rng.IntN(40)), common, tokens(rng.IntN(40))))
		for _, at := range winnow(a) {
			prints[a[at]] = true
		}
		found := false
		for _, at := range winnow(b) {
			found = found || prints[b[at]]
		}
		if !found {
			t.Fatalf("round %d: no common fingerprint", round)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("cpp", "int main() { /* x */ return 'a'; } // y\n\"open")
	f.Add("ocaml", "(* open")
	f.Add("lua", "--[[ x ]] y")
	f.Fuzz(func(t *testing.T, language, text string) {
		lines := 1 + strings.Count(text, "\n")
		last := 1
		for _, tok := range scan(Program{"x", language, text}) {
			if tok.line < last || tok.line > lines {
				t.Fatalf("line %d after %d, of %d", tok.line, last, lines)
			}
			last = tok.line
		}
	})
}
