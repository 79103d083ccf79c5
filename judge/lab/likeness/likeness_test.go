package likeness

import (
	"context"
	"fmt"
	"math"
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
		pairs, _, err := Find(context.Background(), list, nil)
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
	if pairs, _, err := Find(context.Background(), list, nil); err != nil || len(pairs) > 0 {
		t.Errorf("short programs make pairs: %v %v", pairs, err)
	}
}

var (
	identifier = regexp.MustCompile(`\b[A-Za-z_][A-Za-z0-9_]*\b`)
	literal    = regexp.MustCompile(`\b[0-9]+\b`)
	semicolon  = regexp.MustCompile(`;\n`)
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
	return semicolon.ReplaceAllStringFunc(text, func(string) string {
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
				pairs, _, err := Find(context.Background(), all, nil)
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

// TestOnOneLine finds a copy whose statements are all on the line of a directive.
func TestOnOneLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, directive string }{
		{"cpp", "using namespace std;"}, {"c", "typedef long long ll;"}, {"java", "import java.util.Scanner; import java.util.List;"}, {"python3", "import sys;"},
	} {
		var lines []string
		for i := range 20 {
			lines = append(lines, fmt.Sprintf("v = f(v%s) + %d;", strings.Repeat(", v", i), i))
		}
		a := Program{"a", tt.language, tt.directive + "\n" + strings.Join(lines, "\n")}
		b := Program{"b", tt.language, tt.directive + strings.Join(lines, " ")}
		if pairs, _, err := Find(context.Background(), []Program{a, b}, nil); err != nil || len(pairs) != 1 || pairs[0].Shared < 1 {
			t.Errorf("%s: %+v, %v", tt.language, pairs, err)
		}
	}
}

// TestRing names programs of which so many are alike that they make no pairs.
func TestRing(t *testing.T) {
	t.Parallel()
	list := examples(t, "game/submissions/accepted/*.c")
	given, rng := list[0], rand.New(rand.NewPCG(5, 6))
	n := len(list)
	for range usual + 1 {
		list = append(list, Program{"copy", "c", disguise(rng, given.Text, 0)})
	}
	for _, tt := range []struct {
		base []Program
		want string
	}{{nil, fmt.Sprintf("[0 %s]", strings.Trim(fmt.Sprint(sequence(n, len(list))), "[]"))}, {[]Program{given}, "[]"}} {
		pairs, common, err := Find(context.Background(), list, tt.base)
		if err != nil || len(pairs) > 0 || fmt.Sprint(common) != tt.want {
			t.Errorf("with %d templates: %v, %v, %v; want %s", len(tt.base), pairs, common, err, tt.want)
		}
	}
}

func sequence(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// strewnWith puts one of some statements after each line of a program that can have one.
func strewnWith(rng *rand.Rand, p Program, statements []string) Program {
	var b strings.Builder
	for line := range strings.Lines(p.Text) {
		b.WriteString(line)
		code := strings.TrimSpace(line)
		if code != "" && (p.Language == "python3" || strings.ContainsAny(code[len(code)-1:], ";{}")) {
			b.WriteString(line[:strings.Index(line, code)] + statements[rng.IntN(len(statements))] + "\n")
		}
	}
	return Program{"copy", p.Language, b.String()}
}

// TestStrewn finds each copy with a statement after each line among all other solutions, and nothing else,
// and says how much of the original it has.
func TestStrewn(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	nothing := map[string][]string{
		"c":       {"x++;", ";", "if(0);", "(void)0;", "int q7 = 5;", "while(0) { y = 3; }", `printf("");`, "if (a > 3 && b < 2) c += 7;", "f(1, 2);"},
		"python3": {"print()", "x = 1", "pass", "if 0: pass", "x += 1", "assert True", "y = [1, 2, 3]", "f(1, 2)"},
	}
	nothing["cpp"] = append(nothing["c"], `std::cout << "";`)
	found := 0
	for _, id := range []string{"dicey", "game", "marble", "maze", "slink"} {
		list := examples(t, id+"/submissions/accepted/*")
		n := len(list)
		for i, p := range list {
			pool := nothing[p.Language]
			if pool == nil || len(scan(p)) < 2*leastTokens {
				continue
			}
			own := []string{} // of the program itself
			for line := range strings.Lines(p.Text) {
				if code := strings.TrimSpace(line); strings.HasSuffix(code, ";") || p.Language == "python3" && strings.Contains(code, " = ") {
					own = append(own, code)
				}
			}
			copies := map[string]Program{"others each time": strewnWith(rng, p, pool), "its own": strewnWith(rng, p, own)}
			for _, one := range pool {
				copies[one] = strewnWith(rng, p, []string{one})
			}
			copies["others twice"] = strewnWith(rng, copies["others each time"], pool)
			if p.Language != "python3" {
				copies["disguised"] = strewnWith(rng, Program{"", p.Language, disguise(rng, p.Text, 0.2)}, pool)
			}
			for how, copied := range copies {
				pairs, _, err := Find(context.Background(), append(list[:n:n], copied), nil)
				if err != nil || len(pairs) != 1 || pairs[0].A != i || pairs[0].B != n || pairs[0].Shared < 0.95 {
					t.Errorf("%s, %s: %+v, %v", p.Name, how, pairs, err)
				}
				found++
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d copies", found)
	}
}

// TestFigures measures what docs/sheets.md says of disguised copies and of different ideas.
func TestFigures(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	copies, ideas := 1.0, 0.0
	shared := func(a, b Program) float64 {
		x, y := scannedOf(a), scannedOf(b)
		return max(tile(x, y, nil).Shared, strewn(x, y).Shared)
	}
	for _, id := range []string{"dicey", "game", "marble", "maze", "slink"} {
		list := examples(t, id+"/submissions/accepted/*")
		for i, a := range list {
			for _, b := range list[i+1:] {
				if a.Language == b.Language {
					ideas = max(ideas, shared(a, b))
				}
			}
			if a.Language == "c" || a.Language == "cpp" {
				copies = min(copies, shared(a, Program{"", a.Language, shuffled(rng, disguise(rng, a.Text, 0.2))}), shared(a, strewnWith(rng, a, []string{"x++;", "if(0);", "int q = 5;"})))
			}
		}
	}
	text, err := os.ReadFile("../../../docs/sheets.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("Our disguised copies share %.0f %% or more, different ideas at most %.0f %%.", math.Floor(100*copies), math.Ceil(100*ideas))
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("docs/sheets.md does not say: %s", want)
	}
}

// TestStrewnParts tells the lines of both programs that are alike, and leaves out what is not.
func TestStrewnParts(t *testing.T) {
	t.Parallel()
	code := func(junk, extra string) string {
		var b strings.Builder
		for i := range 12 {
			fmt.Fprintf(&b, "v = f(v%s) + %d;\n%s", strings.Repeat(", v", i), i, junk)
			if i == 5 {
				b.WriteString(extra)
			}
		}
		return b.String()
	}
	pairs, _, err := Find(context.Background(), []Program{{"a", "c", code("", "g(1) * 3;\n")}, {"b", "c", code("x = -1;\n", "")}}, nil)
	want := []Part{{A: [2]int{1, 6}, B: [2]int{1, 11}, Tokens: 69 + 9}, {A: [2]int{8, 13}, B: [2]int{13, 23}, Tokens: 150}}
	if err != nil || len(pairs) != 1 || len(pairs[0].Parts) != 2 || pairs[0].Parts[0].A != want[0].A || pairs[0].Parts[0].B != want[0].B || pairs[0].Parts[1].A != want[1].A || pairs[0].Parts[1].B != want[1].B {
		t.Errorf("%+v, %v", pairs, err)
	}
	if p := strewn(scannedOf(Program{"", "c", code("", "")}), scannedOf(Program{"", "c", code("", strings.Repeat("x = -1;\n", 1000))})); p.Tokens > 0 {
		t.Errorf("in a much longer program: %+v", p)
	}
}

// scannedOf returns a program as Find compares it.
func scannedOf(p Program) *scanned {
	s := &scanned{tokens: scan(p)}
	s.grams = grams(s.tokens)
	s.split(p.Language, nil)
	return s
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
		for _, other := range []Program{b, strewnWith(rand.New(rand.NewPCG(1, 2)), b, []string{"x++;"})} {
			pairs, _, err := Find(context.Background(), []Program{a, other}, tt.base)
			if err != nil || len(pairs) != tt.want {
				t.Errorf("with %d templates: %+v, %v", len(tt.base), pairs, err)
			}
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

// TestRuns bounds the work for runs of the same token, which match at every shift, and still finds them.
func TestRuns(t *testing.T) {
	t.Parallel()
	a, b := Program{"a", "c", strings.Repeat("+ ", 30_000)}, Program{"b", "c", "int x;\n" + strings.Repeat("+ ", 30_000)}
	matched := 0
	for _, m := range matching(scannedOf(a), scannedOf(b), nil) {
		matched += m.n
	}
	if matched > mostMatched+30_000 {
		t.Errorf("matches of %d tokens", matched)
	}
	if p := tile(scannedOf(a), scannedOf(b), nil); p.Tokens != 30_000 {
		t.Errorf("%d tokens are common", p.Tokens)
	}
}
