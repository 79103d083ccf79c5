package yamlstrict

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tribunal/judge/internal/limits"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has a field of every kind.
type sample struct {
	Place  Place
	Text   string              `yaml:"text" doc:"exact bytes"`
	Ptr    *string             `yaml:"ptr,nonempty"`
	Word   string              `yaml:"word,word" pattern:"[a-z0-9.]+"`
	Words  []string            `yaml:"words,word,nonempty" doc:"a list of <words>"`
	Enum   string              `yaml:"enum" enum:"exact,tokens,float"`
	Flag   bool                `yaml:"flag"`
	Int    int                 `yaml:"int" min:"1" max:"1024"`
	Seed   *uint64             `yaml:"seed" needs:"words"`
	Float  float64             `yaml:"float" min:"0"`
	Time   time.Duration       `yaml:"time" min:"1ms" max:"1m"`
	Size   limits.Bytes        `yaml:"size"`
	Mode   mode                `yaml:"mode"`
	Pair   [2]int64            `yaml:"pair"`
	Byname map[string]int      `yaml:"byname"`
	Order  Map[[]string]       `yaml:"order,nonempty"`
	Inner  inner               `yaml:"inner"`
	List   []inner             `yaml:"list"`
	More   string              `yaml:"more"`
	Pick   *pick               `yaml:"pick"`
	Own    map[string][]string // no tag: Decode must not change it
}

type pick struct {
	Either string `yaml:"either" oneof:"source"`
	Or     string `yaml:"or" oneof:"source"`
}

type inner struct {
	Place Place
	CPU   time.Duration `yaml:"cpu,required" doc:"CPU time of the whole process tree"`
}

// mode is a type with its own UnmarshalText.
type mode string

func (m *mode) UnmarshalText(text []byte) error {
	if *m = mode(text); *m != "auto" {
		return errors.New("want auto (hint: write auto)")
	}
	return nil
}

func TestDecode(t *testing.T) {
	t.Parallel()
	data := []byte(`# comment
more: |
  one
   two

ptr: x
word: 1.0
words: [12, true, 0x10, 2001-01-01, "~", 'a b', yes, '']
enum: tokens
flag: true
int: 1024
seed: 18446744073709551615
float: 1e-6
time: 1.5s
size: 64MiB
mode: auto
pair: [-1, 6]
byname: {b: 2, a: 1}
order:
  z: [x]
  12: []
inner:
  cpu: 2s
list:
- cpu: 1ms
-
  cpu: "3s"
...
`)
	got := sample{Own: map[string][]string{"kept": nil}, Text: "default"}
	if err := Decode("f.yaml", data, &got); err != nil {
		t.Fatal(err)
	}
	x, seed := "x", uint64(math.MaxUint64)
	want := sample{
		Text: "default", More: "one\n two\n", Ptr: &x, Word: "1.0",
		Words: []string{"12", "true", "0x10", "2001-01-01", "~", "a b", "yes", ""},
		Enum:  "tokens", Flag: true, Int: 1024, Seed: &seed, Float: 1e-6, Time: 1500 * time.Millisecond, Size: 64 << 20, Mode: "auto",
		Pair: [2]int64{-1, 6}, Byname: map[string]int{"a": 1, "b": 2},
		Order: Map[[]string]{{Key: "z", Value: []string{"x"}, Line: 20}, {Key: "12", Value: []string{}, Line: 21}},
		Inner: inner{CPU: 2 * time.Second}, List: []inner{{CPU: time.Millisecond}, {CPU: 3 * time.Second}},
		Own: map[string][]string{"kept": nil},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreTypes(Place{})); d != "" {
		t.Error(d)
	}
	p := got.Place
	if p.Line() != 2 || p.LineOf("list") != 24 || p.LineOf("no") != 2 || !p.Has("pair") || p.Has("text") || p.Flow() {
		t.Errorf("place of the document is %+v", p)
	}
	if got.List[1].Place.Line() != 27 {
		t.Errorf("place of the second item is %+v", got.List[1].Place)
	}
	if got, want := p.Errorf("seed", "try %s", "bad %d", 7).Error(), "f.yaml:12: bad 7 (hint: try %s)"; got != want {
		t.Errorf("Errorf = %s, want %s", got, want)
	}
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	tests := []struct{ why, data, want string }{
		// Bytes.
		{"CRLF", "text: |\r\n  a\r\n", "1: CRLF line ends; expected outputs would be wrong (hint: save the file with LF line ends, or, if git made them, write \"* -text\" to .gitattributes and check the files out again)"},
		{"CRLF further down", "text: |\n  a\r\n", "2: CRLF line ends; expected outputs would be wrong (hint: save the file with LF line ends, or, if git made them, write \"* -text\" to .gitattributes and check the files out again)"},
		{"lone CR", "text: a\n# b\rc\n", `2: carriage return within a line (hint: write it as "\r" in a double-quoted text)`},
		{"byte order mark", "\ufefftext: a\n", "1: byte order mark (hint: save the file as UTF-8 without a byte order mark)"},
		{"byte order mark inside", "text: a\n\ufeffor: b\n", `2: byte order mark within the text (hint: write it as "\uFEFF" in a double-quoted text)`},
		{"invalid UTF-8", "a: b\ntext: \xff\n", "2: invalid UTF-8: byte 0xFF (hint: save the file as UTF-8)"},
		{"UTF-16", "\xff\xfet\x00", "1: invalid UTF-8: byte 0xFF (hint: save the file as UTF-8)"},
		{"NUL", "text: a\x00\n", "1: NUL byte (hint: this is not a text file)"},
		{"control character", "text: a\n# \x07\n", `2: control character U+0007 (hint: write it as "\u0007" in a double-quoted text)`},
		{"DEL", "text: \x7f\n", `1: control character U+007F (hint: write it as "\u007F" in a double-quoted text)`},
		{"U+2028 would shift the lines", "text: |\n  a\u2028b\n", `2: U+2028 counts as a line end in YAML (hint: write it as "\u2028" in a double-quoted text)`},
		{"U+0085 would shift the lines", "text: |\n  a\u0085b\n", `2: U+0085 counts as a line end in YAML (hint: write it as "\u0085" in a double-quoted text)`},

		// Syntax.
		{"a tab indents a key", "text: a\n\tor: b\n", "2: not YAML: found a tab character that violates indentation (hint: indent with spaces, not tabs)"},
		{"a tab indents a list", "words:\n\t- b\n", "2: not YAML: found character that cannot start any token (hint: indent with spaces, not tabs)"},
		{"a tab indents a block", "text: |\n\tb\n", "2: not YAML: found a tab character where an indentation space is expected (hint: indent with spaces, not tabs)"},
		{"too little indentation within a list", "# c\nlist:\n  - cpu: 1s\n    cpu: 2s\n   cpu: 3s\n", "5: not YAML: did not find expected '-' indicator (hint: this line does not fit the list above it; check its indentation)"},
		{"too little indentation within a block", "inner:\n  cpu: |\n    a\n   b\n", "4: not YAML: did not find expected key (hint: this line does not fit the lines above it; check its indentation and quotes)"},
		{"text after a quote", "# c\ntext: 'a' b\n", "2: not YAML: did not find expected key (hint: this line does not fit the lines above it; check its indentation and quotes)"},
		{"a quote left open", "# c\ntext: \"a\nor: b\n\n", "2: not YAML: found unexpected end of stream (hint: a quote is not closed)"},
		{"a bracket left open", "# c\nwords: [a, b\nor: c\n", "2: not YAML: did not find expected ',' or ']' (hint: a bracket is not closed, or a comma is missing)"},
		{"a bracket too many", "text: a\n]\n", "2: not YAML: did not find expected key (hint: this line does not fit the lines above it; check its indentation and quotes)"},
		{"a colon in a text", "text: a: b\n", `1: not YAML: mapping values are not allowed in this context (hint: put a text with ": " in quotes, and check the indentation)`},
		{"a reserved letter", "text: @a\n", "1: not YAML: found character that cannot start any token (hint: put the text in quotes)"},
		{"an unknown escape", "text: \"\\q\"\n", `1: not YAML: found unknown escape character (hint: write a backslash as \\ in double quotes)`},
		{"a key without colon", "text: a\nmore\nflag: true\n", "2: not YAML: could not find expected ':' (hint: a key is followed by a colon and a blank)"},
		{"a merge conflict", "text: a\n<<<<<<< ours\nor: b\n=======\n", "2: merge conflict (hint: resolve it)"},

		// The document.
		{"nothing", "", "1: empty document"},
		{"only comments", "# a\n", "1: empty document"},
		{"null", "---\n~\n", "1: empty document"},
		{"a second document", "more: a\n---\nor: b\n", "2: a second document begins here (hint: keep one document in a file and nothing after its ...)"},
		{"a second document after the end", "more: a\n...\nor: b\n", "3: a second document begins here (hint: keep one document in a file and nothing after its ...)"},
		{"an empty second document", "more: a\n---\n", "2: a second document begins here (hint: keep one document in a file and nothing after its ...)"},
		{"a list", "- a\n", "1: want a mapping, found a list"},
		{"a text", "a\n", `1: want a mapping, found the text "a"`},
		{"anchor", "text: a\nor: &x b\n", "2: anchor &x (hint: write the value out where it is needed)"},
		{"alias", "text: &x a\nor: *x\n", "1: anchor &x (hint: write the value out where it is needed)"},
		{"alias without anchor", "text: a\nor: *x\n", "2: not YAML: unknown anchor 'x' referenced (hint: anchors are not used here; put a text with * in quotes)"},
		{"merge key", "more: a\n<<: {text: b}\n", "2: merge key << (hint: write the keys out)"},
		{"tag", "text: !!binary aGk=\n", "1: tag \"!!binary\" (hint: leave the tag out; every field has one type)"},
		{"tag with an escaped control character", "text: !%1B aGk=\n", "1: tag \"!\\x1b\" (hint: leave the tag out; every field has one type)"},
		{"deep nesting", "more: " + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "\n", "1: nested more than 32 deep"},
		{"very deep nesting", "more: " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\n", "1: not YAML: exceeded max depth of 10000"},

		// Keys.
		{"unknown key, near", "txet: a\n", `1: unknown field "txet" (hint: did you mean "text"?)`},
		{"unknown key, far, which lists all keys", "inner: {zzzzzzz: a}\n", `1: inner: unknown field "zzzzzzz" (hint: the fields are cpu)`},
		{"unknown key, long", "inner:\n  " + long + ": a\n", `2: inner: unknown field "` + long[:40] + `…" (hint: the fields are cpu)`},
		{"duplicate key", "text: a\nflag: true\ntext: a\n", `3: duplicate key "text" (hint: the first is on line 1)`},
		{"duplicate key in another spelling", "text: a\n\"text\": a\n", `2: duplicate key "text" (hint: the first is on line 1)`},
		{"duplicate key of a free mapping", "byname: {a: 1,\n a: 2}\n", `2: byname: duplicate key "a" (hint: the first is on line 1)`},
		{"a list as key", "? [a]\n: b\n", "1: want a word as key, found a list"},
		{"nothing as key", "byname: {~: 1}\n", "1: byname: want a word as key, found nothing (hint: put it in quotes if it is a name)"},
		{"missing key", "inner: {}\n", `1: inner: missing key "cpu" (hint: CPU time of the whole process tree)`},
		{"missing key of an item", "list:\n- cpu: 1s\n- {}\n", `3: list: missing key "cpu" (hint: CPU time of the whole process tree)`},
		{"neither of two", "text: a\npick: {}\n", `2: pick: missing key "either" or "or"`},
		{"both of two", "pick:\n  either: a\n  or: b\n", "3: both either and or (hint: keep one of them)"},
		{"one without the other", "# c\nseed: 1\n", "2: seed without words (hint: add words, or leave seed out)"},

		// Values.
		{"null for a text", "text:\nor: a\n", `1: text: no value (hint: write "" for an empty text, or leave the key out)`},
		{"null for a pointer", "ptr: null\n", `1: ptr: no value (hint: write "" for an empty text, or leave the key out)`},
		{"null for a word", "word: ~\n", `1: word: no value (hint: write "" for an empty text, or leave the key out)`},
		{"null in a list", "words:\n- a\n-\n", `3: words: no value (hint: write "" for an empty text, or leave the key out)`},
		{"null for a mapping", "inner:\n", "1: inner: no value (hint: write the value or leave the key out)"},
		{"a number for a text", "text: 12\n", `1: text: want a text, found the number 12; the bytes of a text must not depend on how YAML reads it (hint: write it as a block: "text: |", and below it, indented, 12 and a line end)`},
		{"a truth value for a text", "text: true\n", `1: text: want a text, found the truth value true; the bytes of a text must not depend on how YAML reads it (hint: write it as a block: "text: |", and below it, indented, true and a line end)`},
		{"a date for a text", "text: 2001-01-01\n", `1: text: want a text, found the date 2001-01-01; the bytes of a text must not depend on how YAML reads it (hint: write it as a block: "text: |", and below it, indented, 2001-01-01 and a line end)`},
		{"a list for a text", "text: [a]\n", "1: text: want a text, found a list"},
		{"an empty text", "ptr: ''\n", "1: ptr: empty text"},
		{"a mapping for a list", "words: {a: b}\n", "1: words: want a list, found a mapping"},
		{"a text for a list", "words: a\n", `1: words: want a list, found the text "a"`},
		{"an empty list", "words: []\n", "1: words: empty list"},
		{"an empty mapping", "order: {}\n", "1: order: empty mapping"},
		{"a list for a mapping", "order: [a]\n", "1: order: want a mapping, found a list"},
		{"a list for a struct", "inner: [a]\n", "1: inner: want a mapping, found a list"},
		{"a list of another length", "pair: [1]\n", "1: pair: want a list of 2, found one of 1"},
		{"a word of another form", "word: A\n", `1: word: bad form "A" (hint: it must match [a-z0-9.]+)`},
		{"one of a set, near", "enum: token\n", `1: enum: want one of exact, tokens, float, found "token" (hint: did you mean "tokens"?)`},
		{"one of a set, far", "enum: x\n", `1: enum: want one of exact, tokens, float, found "x"`},
		{"yes", "flag: yes\n", `1: flag: want true or false, found "yes"`},
		{"quoted true", "flag: 'true'\n", `1: flag: want true or false, found the text "true"`},
		{"octal", "int: 010\n", `1: int: want a whole number, found "010" (hint: write 10; a leading zero means octal to YAML)`},
		{"hexadecimal", "int: 0x10\n", `1: int: want a whole number, found "0x10" (hint: write plain decimal digits)`},
		{"underscores", "int: 1_000\n", `1: int: want a whole number, found "1_000" (hint: write plain decimal digits)`},
		{"plus", "int: +1\n", `1: int: want a whole number, found "+1" (hint: write plain decimal digits)`},
		{"a fraction", "int: 1.0\n", `1: int: want a whole number, found "1.0" (hint: write plain decimal digits)`},
		{"quoted number", "int: '1'\n", `1: int: want a whole number, found the text "1"`},
		{"below", "int: 0\n", "1: int: want at least 1, found 0"},
		{"above", "int: 1025\n", "1: int: want at most 1024, found 1025"},
		{"far above", "int: 9223372036854775808\n", "1: int: 9223372036854775808 is out of range"},
		{"a list for a number", "int: [1]\n", "1: int: want a whole number, found a list"},
		{"negative seed", "seed: -1\nwords: [a]\n", "1: seed: -1 is out of range"},
		{"not a number", "float: .nan\n", `1: float: want a number, found ".nan" (hint: write it like 0.5 or 1e-6)`},
		{"infinite by size", "float: 1e999\n", `1: float: want a number, found "1e999" (hint: write it like 0.5 or 1e-6)`},
		{"a negative number", "float: -0.5\n", "1: float: want at least 0, found -0.5"},
		{"a time without unit", "time: 20\n", "1: time: 20 has no unit (hint: did you mean 20s?)"},
		{"a size without unit", "size: 64\n", "1: size: 64 has no unit (hint: did you mean 64MiB?)"},
		{"a time too long", "time: 2m\n", "1: time: want at most 1m, found 2m"},
		{"a time too short", "time: 1us\n", "1: time: want at least 1ms, found 1us"},
		{"a value that checks itself", "mode: manual\n", "1: mode: want auto (hint: write auto)"},
		{"an item of a mapping is called by its key", "byname:\n  a: x\n", `2: a: want a whole number, found "x" (hint: write plain decimal digits)`},
	}
	for _, tt := range tests {
		var got sample
		err := Decode("f.yaml", []byte(tt.data), &got)
		if err == nil || err.Error() != "f.yaml:"+tt.want {
			t.Errorf("%s:\ngot  %v\nwant f.yaml:%s", tt.why, err, tt.want)
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.File != "f.yaml" || e.Line < 1 {
			t.Errorf("%s: %#v is not located", tt.why, err)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	big := filepath.Join(dir, "big.yaml")
	if err := os.WriteFile(big, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, MaxFile+1); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ why, file, want string }{
		{"a pipe, which is not waited for", pipe, "pipe.yaml: not a regular file"},
		{"no file", filepath.Join(dir, "no.yaml"), "no.yaml: no such file or directory"},
		{"a folder", dir, ": is a directory"},
		{"too large", big, "big.yaml: larger than 64 MiB (hint: generate large inputs instead of writing them down)"},
	}
	for _, tt := range tests {
		_, err := Read(tt.file)
		want := filepath.Join(dir, strings.TrimPrefix(tt.want, ":"))
		if tt.file == dir {
			want = dir + tt.want
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", tt.why, err, want)
		}
	}
	if err := Decode("f.yaml", make([]byte, MaxFile+1), new(sample)); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("too large in memory: %v", err)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"output", "input", "note", "a", "marble", "maze"}
	tests := []struct{ word, want, why string }{
		{"ouput", "output", "a letter dropped"},
		{"outputs", "output", "a letter added"},
		{"otuput", "output", "two swapped"},
		{"putput", "output", "one changed"},
		{"marbel", "marble", "two swapped at the end"},
		{"not", "note", "one edit in three letters"},
		{"mazo", "maze", "one edit in four letters"},
		{"mozo", "", "two edits in four letters are another word"},
		{"b", "", "a word of one letter is near to none"},
		{"", "", "nothing is near to nothing"},
		{strings.Repeat("output", 20), "", "too long to be worth the work"},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("%s: Nearest(%q) = %q, want %q", tt.why, tt.word, got, tt.want)
		}
	}
}

func TestSchemaGolden(t *testing.T) {
	t.Parallel()
	got, err := Schema(sample{Enum: "exact", Flag: true, Int: 4, Float: 0.5, Time: time.Minute, Size: 64 << 20,
		Words: []string{"a"}, Pair: [2]int64{1, 2}, Inner: inner{CPU: 300 * time.Millisecond}, List: make([]inner, 1)}, "a sample")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/schema.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Error(d)
	}
}

func TestSchemaErrors(t *testing.T) {
	t.Parallel()
	if _, err := Schema(1, ""); err == nil || err.Error() != "schema of int, which is not a struct" {
		t.Error(err)
	}
	type odd struct {
		C []chan int `yaml:"c"`
	}
	if _, err := Schema(odd{}, ""); err == nil || err.Error() != "c: schema of chan int, which no document holds" {
		t.Error(err)
	}
}

// TestMisuse checks that Decode panics on a mistake in a struct's tags, whatever the document is.
func TestMisuse(t *testing.T) {
	t.Parallel()
	type option struct {
		A string `yaml:"a,omitempty"`
	}
	type needs struct {
		A string `yaml:"a" needs:"b"`
	}
	for _, into := range []any{sample{}, new(int), new(option), new(needs)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %T", into)
				}
			}()
			_ = Decode("f.yaml", []byte("a: b\n"), into)
		}()
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("more: |+\n  a\n\nwords: [a]\nseed: 1\ninner: {cpu: 1s}\n...\n"))
	f.Add([]byte("a: &a [*a, *a]\nb: !!x y\n"))
	f.Add([]byte("? [a]\n: {b: \"\\u2028\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b sample
		err := Decode("f.yaml", data, &a)
		if err == nil {
			if err := Decode("f.yaml", slices.Clone(data), &b); err != nil {
				t.Errorf("the second time: %v", err)
			}
			return
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Line < 1 || e.Line > 1+strings.Count(string(data), "\n") {
			t.Errorf("%#v is not located in %q", err, data)
		}
		if s := err.Error(); strings.ContainsAny(s, "\n\r\x00\x1b") || !utf8.ValidString(s) {
			t.Errorf("unfit message %q", s)
		}
	})
}
