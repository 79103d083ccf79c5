package mutate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inFunction returns a statement as the body of a function.
func inFunction(language, statement string) string {
	if language == "cpp" {
		return "void f() {\n" + statement + "\n}\n"
	}
	return "def f():\n" + statement + "\n"
}

// changes returns the drafts of a text, each as "operator: before → after".
func changes(language, text string) (list []string) {
	l, _ := tokenLanguageOf(language)
	for _, d := range l.mutate(text) {
		before, after := d.before, d.after
		if before == "" {
			before = text[d.start:d.end]
		}
		if after == "" {
			after = d.text
		}
		list = append(list, d.op+": "+before+" → "+after)
	}
	return list
}

func TestTokenMutants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, language, text string
		want                []string
	}{
		{"a comparison", "cpp", "return a <= b;", []string{"boundary: <= → <", "relation: <= → >"}},
		{"brackets of a template, and of another in it", "cpp", "vector<pair<int, int>> v(n);", nil},
		{"a comparison that a bracket might be", "cpp", "x = a < b && c > d;", []string{"statement: x = a < b && c > d; → (nothing)", "boundary: < → <=", "relation: < → >=", "logic: && → ||", "boundary: > → >=", "relation: > → <="}},
		{"a stream", "cpp", "cout << a << endl;", []string{"statement: cout << a << endl; → (nothing)"}},
		{"a shift", "cpp", "return a << b;", []string{"arithmetic: << → >>"}},
		{"unary signs", "cpp", "return -*p;", nil},
		{"a declared pointer is no product", "cpp", "int *p = q;", nil},
		{"a declaration", "cpp", "long long a = b;", nil},
		{"an assignment", "cpp", "a[i] = 7;", []string{"statement: a[i] = 7; → (nothing)", "index: [i] → [i + 1]", "index: [i] → [i - 1]", "constant: 7 → 8", "constant: 7 → 6", "constant: 7 → 0"}},
		{"a declared array", "cpp", "int a[n][m];", nil},
		{"captures of a lambda", "cpp", "auto g = [i](int x) { return x; };", nil},
		{"a structured binding", "cpp", "auto [a, b] = p;", nil},
		{"the head of a loop", "cpp", "for (i = 0; i < n; i++) g();", []string{"constant: 0 → 1", "boundary: < → <=", "relation: < → >=", "arithmetic: ++ → --", "statement: g(); → (nothing)"}},
		{"a condition", "cpp", "if (a) return;", []string{"condition: a → true", "condition: a → false", "return: return → (nothing)"}},
		{"a loop for ever would only take time", "cpp", "while (a) break;", []string{"condition: a → false", "jump: break → (nothing)", "jump: break → continue"}},
		{"truths and a negation", "cpp", "bool a = true, b = !c;", []string{"constant: true → false", "not: ! → "}},
		{"arguments", "cpp", "return pow(a, b) - min(a, b);", []string{"argument: a, b → b, a", "arithmetic: - → +", "minmax: min → max"}},
		{"texts", "cpp", `return s == "ab" || c == 'a';`, []string{"relation: == → !=", `string: "ab" → ""`, "logic: || → &&", "relation: == → !="}},
		{"comments, raw strings and macros", "cpp", "#define X a < b \\\n < c\n// a < b\n/* a < b */ return R\"x(a < b)\" )x\";", nil},
		{"separated digits, a hexadecimal number and a fraction", "cpp", "return f(1'000u, 0x1F, 1.5e-9);", []string{"constant: 1'000u → 1001u", "constant: 1'000u → 999u", "constant: 1'000u → 0u", "constant: 0x1F → (0x1F + 1)", "constant: 0x1F → (0x1F - 1)", "constant: 1.5e-9 → 0"}},
		{"a faster stream is no mistake", "cpp", "ios::sync_with_stdio(false);", []string{"constant: false → true"}},
		{"a comparison", "python3", "    return a <= b", []string{"return: a <= b → None", "boundary: <= → <", "relation: <= → >"}},
		{"words", "python3", "    if a and not b in c: return", []string{"condition: a and not b in c → True", "condition: a and not b in c → False", "logic: and → or", "not: not → ", "relation: in → not in"}},
		{"not in", "python3", "    x = a not in b", []string{"statement: x = a not in b → (nothing)", "relation: not in → in"}},
		{"the in of a loop", "python3", "    for x in range(n): pass", []string{"loop: n → (n) + 1", "loop: n → (n) - 1"}},
		{"a range with a start", "python3", "    for x in range(a, b): pass", []string{"argument: a, b → b, a", "loop: b → (b) + 1", "loop: b → (b) - 1"}},
		{"divisions", "python3", "    return a // b / c ** d", []string{"return: a // b / c ** d → None", "arithmetic: // → /", "arithmetic: / → *", "arithmetic: ** → *"}},
		{"stars of arguments", "python3", "    print(*a, sep=\"x\")", []string{"statement: print(*a, sep=\"x\") → (nothing)", "string: \"x\" → \"\""}},
		{"slices and indices", "python3", "    return a[i:j] + b[i]", []string{"return: a[i:j] + b[i] → None", "slice: i → (i) + 1", "slice: j → (j) - 1", "arithmetic: + → -", "index: [i] → [i + 1]", "index: [i] → [i - 1]"}},
		{"documentation", "python3", "    '''one < two'''\n    '''\n    a < b'''", nil},
		{"a line that goes on", "python3", "    x = (a +\n  1 < b)", []string{"statement: x = (a +\n  1 < b) → (nothing)", "arithmetic: + → -", "constant: 1 → 2", "constant: 1 → 0", "boundary: < → <=", "relation: < → >="}},
		{"the line that starts a program", "python3", "    if __name__ == '__main__': f()", nil},
		{"imports", "python3", "    from a import b\n    import c", nil},
	} {
		text := inFunction(tt.language, tt.text)
		if diff := cmp.Diff(tt.want, changes(tt.language, text)); diff != "" {
			t.Errorf("%s: %s: (- want, + got)\n%s", tt.why, tt.text, diff)
		}
	}
}

func TestTokenFunctions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, language, text string
		want                []string
	}{
		{"functions and methods in C++", "cpp", "template <class T> T id(T x) { return x; }\nstruct field {\n  field(int n) : n(n) {}\n  int roll() const { if (n) { return 1; } return 0; }\n  int n = 0;\n};\nint field::more(int a) noexcept { auto f = [](int b) { return b; }; return f(a); }\nnamespace deep { static void in() {} }\nint table[] = {1, 2};\nint main() {}\n",
			[]string{"id", "field.field", "field.roll", "field.more", "in", "main"}},
		{"functions and methods in Python", "python3", "class Field:\n    def roll(self):\n        def inner():\n            pass\n        return inner\n\n    n = 1\n\ndef main():\n    pass\nmain()\n", []string{"Field.roll", "inner", "main"}},
		{"no functions", "python3", "print(1)\n", nil},
	} {
		l, _ := tokenLanguageOf(tt.language)
		if got := l.functions(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// FuzzTokens checks that any text gives tokens in its order, and mutants that change it within.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"int main() { a[b[0]] <<= R\"x(\" )x\"; }", "if (a) {} else while (b);", "def f(:\n  x[(1:] = '''", "class : def\n", "\"\\", "'", "R\"((((", "/*", "#\\", "0x", "1'", "((((]]]]", "if", "range(", "a[", "x[:", "lambda: not", "\x00\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"cpp", "python3"} {
			language, _ := tokenLanguageOf(name)
			names := language.functions(text)
			for _, d := range language.mutate(text) {
				if d.start < 0 || d.end > len(text) || d.start > d.end {
					t.Fatalf("%s: a mutant of %d to %d in %d bytes", name, d.start, d.end, len(text))
				}
				if d.function != "" && !slices.Contains(names, d.function) {
					t.Fatalf("%s: a mutant in the function %q, but there are %q", name, d.function, names)
				}
			}
		}
		for _, s := range []*scanner{scanCPP(text), scanPython(text)} {
			at := 0
			for i, token := range s.tokens {
				if token.start < at || token.end < token.start || token.kind != newline && token.text != text[token.start:token.end] {
					t.Fatalf("token %d is %s", i, fmt.Sprint(token))
				}
				at = token.end
			}
		}
	})
}
