package yamltext

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// For a longer test than the default, run:
//
//	go test ./judge/internal/yamltext -run Random -texts 1000000 -documents 100000 -seed 7 -v
var (
	texts     = flag.Int("texts", 5000, "how many texts TestScalarRandom writes")
	documents = flag.Int("documents", 2000, "how many documents TestSpliceRandom edits")
	seed      = flag.Uint64("seed", 1, "where the random tests begin")
)

// random makes texts and documents from constructs that are hard to edit in YAML.
type random struct{ *rand.Rand }

func (r random) one(list ...string) string { return list[r.IntN(len(list))] }
func (r random) chance(percent int) bool   { return r.IntN(100) < percent }

// hostile returns a text of characters and words that have a meaning in YAML.
func (r random) hostile() string {
	var b strings.Builder
	for range r.IntN(8) {
		switch r.IntN(12) {
		case 0, 1:
			b.WriteString(strings.Repeat("\n", 1+r.IntN(3)))
		case 2:
			b.WriteString(strings.Repeat(" ", 1+r.IntN(5)))
		case 3:
			b.WriteString(r.one("\t", " \t", "\t ", "\r", "\r\n", "\x00", "\x1b[1m", "\x7f", "\u0085", "\u00a0"))
		case 4:
			b.WriteString(r.one("...", "---", "--- |", "%YAML 1.2", "# c", " # c", "#", "<<: *a", "=======", "<<<<<<<"))
		case 5:
			b.WriteString(r.one("k: v", "k:", ": ", "- ", "-", "? ", "?", "{", "}", "[", "]", ",", "{a: [b, c]}"))
		case 6:
			b.WriteString(r.one("|", "|+", "|2-", ">", ">-", "&a", "*a", "!!str", "!", "%", "@", "`"))
		case 7:
			b.WriteString(r.one("'", "''", `"`, `\`, `\\`, `\n`, `\"`, `\x41`, `\ `))
		case 8:
			b.WriteString(r.one("null", "~", "true", "no", "0x1F", "010", "1e3", ".inf", "2001-01-01", "12:30:45"))
		case 9:
			b.WriteString(r.one("é", "e\u0301", "ß·∎", "漢字", "\u200b", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff", "😀", "\U000e0001", "\U0010ffff", "\u202e"))
		case 10:
			b.WriteRune(rune(r.IntN(0x250)))
		default:
			b.WriteString(r.one("a", "one two", "Case 1: 5 moves", "|_|_ _|"))
		}
	}
	return b.String()
}

func TestScalarRandom(t *testing.T) {
	t.Parallel()
	for i := range *texts {
		r := random{rand.New(rand.NewPCG(*seed, uint64(i)))}
		roundTrip(t, r.hostile(), 2+r.IntN(9))
	}
	t.Logf("%d texts read back as they were", *texts)
}

// document is a random document with edits, and the exact bytes that Splice must return.
type document struct {
	random
	src, want strings.Builder
	edits     []Edit
	names     int
	after     *after // the last edit, while empty lines may follow it
}

// after describes an edit. The empty lines after it have not been written yet.
type after struct {
	wereText, wouldBeText bool
	blanks                string
	inserted              bool
}

// both writes text that no edit may change. Before it, both writes the empty lines that Splice
// documents for the place after an edit.
func (d *document) both(s string) {
	if a := d.after; a != nil {
		switch {
		case a.wouldBeText:
		case !a.wereText:
			d.want.WriteString(a.blanks)
		case a.blanks != "" && s != "" && !strings.HasPrefix(s, "..."):
			d.want.WriteString("\n")
		}
		d.after = nil
	}
	d.src.WriteString(s)
	d.want.WriteString(s)
}

// value is the source text after the colon of a key.
type value struct {
	text    string // source text, with its line end
	comment string // the comment in text, with the blanks before it
	keeps   bool   // empty lines that follow become part of the text
	deep    int    // column of its lines, if it is a block; comments must stand left of it
}

func (d *document) comment() string {
	return d.one("", "", "", " # why", "  # 'why' \"|", "   ", " #")
}

// scalar returns a random text as the value of a key at a column, in any form of YAML.
func (d *document) scalar(column int) value {
	v := value{comment: d.comment()}
	pad := strings.Repeat(" ", column+1+d.IntN(3))
	switch d.IntN(9) {
	case 0, 1, 2:
		return d.block(column)
	case 3:
		v.text = d.one("", " ~", " null")
	case 4:
		v.text = " one\n" + pad + d.one("two", "two\n\n"+pad+"three", "#no", "é: ü")
		v.text = strings.ReplaceAll(strings.ReplaceAll(v.text, "#no", "no#"), "é: ü", "é:ü")
	case 5:
		v.text = d.one(" 'it''s # no'", " ''", " 'é: ü'", " 'one\n"+pad+"two'", " 'one\n\n"+pad+"# two'", "   '\"'")
	case 6:
		v.text = d.one(` "\" # \\"`, ` ""`, ` "\u00e9\n"`, " \"one\n"+pad+"two\"", " \"one\\\n"+pad+"\\ two\\n\\\n"+pad+"# three\"", ` "'"`)
	default:
		v.text = d.one(" word", " two words", " 12", " true", "  é·ü", " http://x/y#z", " a'b\"c", " -1", " 2001-01-01", " x:y", " a, [b]")
	}
	v.text += v.comment + "\n"
	return v
}

// block returns a literal or folded text.
func (d *document) block(column int) value {
	deep := 1 + d.IntN(4)
	mark := d.one("|", "|", ">")
	told := d.chance(30)
	if told {
		mark += fmt.Sprint(deep)
	}
	v := value{comment: d.comment(), deep: column + deep}
	switch d.IntN(3) {
	case 0:
		mark, v.keeps = mark+"+", true
	case 1:
		mark += "-"
	}
	pad := strings.Repeat(" ", column+deep)
	lines := []string{d.one("x", "é·ü", "a # b", "...", "- k", "k: v", "[", "'", "%", "&a *b")}
	for range d.IntN(4) {
		lines = append(lines, d.one("", "", "# text", "  deeper", "blank ", "tab\tand\t", "\tfirst", "---", "<<<<<<<", "漢字", "\"", "output: |"))
	}
	if told {
		lines = append([]string{d.one("", "  first", " ")}, lines...)
	}
	lines = append(lines, "last")
	if d.chance(10) {
		lines, v.deep = nil, column+1 // an empty block
	}
	v.text = " " + mark + v.comment + "\n"
	for _, line := range lines {
		if line != "" {
			line = pad + line
		}
		v.text += line + "\n"
	}
	return v
}

// other returns a value of any kind, for a key that is not edited.
func (d *document) other(column int, first bool) value {
	pad := strings.Repeat(" ", column)
	end := d.comment() + "\n"
	if first && d.chance(30) {
		return value{text: d.one(" &x"+fmt.Sprint(d.names)+" word", " !!str 12", " &y"+fmt.Sprint(d.names)+" [a, b]") + end}
	}
	switch d.IntN(8) {
	case 0:
		return value{text: d.one(" []", " [a, 'b]', \"c # \", 12]", " [{k: v}, [x, ]]", " [a, # c]\n"+pad+"  b\n"+pad+"  ]") + end}
	case 1:
		return value{text: d.one(" {}", " {a: b, 'c': [d]}", " {a: b,\n"+pad+"  c: , # }\n"+pad+"  }") + end}
	case 2:
		return value{text: d.comment() + "\n" + pad + d.one("", "  ") + d.one("- a", "- - a", "- {}", "- k: v") + end}
	case 3:
		inner := d.block(column + 3)
		return value{text: "\n" + pad + "   k:" + inner.text, keeps: inner.keeps, deep: inner.deep}
	default:
		return d.scalar(column)
	}
}

// blanks returns empty lines. They may contain blanks, but at most as many as there are before the key.
func (d *document) blanks(column int) string {
	var b strings.Builder
	for range d.one("", "", "", "-", "--") {
		b.WriteString(d.one("", "", strings.Repeat(" ", d.IntN(column+1))) + "\n")
	}
	return b.String()
}

// mapping writes a mapping whose keys stand at a column, the first of them after prefix, and
// perhaps an edit of the mapping.
func (d *document) mapping(in, prefix string, column int) {
	const key = "output"
	count := 1 + d.IntN(4)
	at := d.IntN(count + 2) // index of the edited key; none is edited if it is too large
	remove := at > 0 && at < count && d.chance(25)
	insert := at == count && d.chance(70)
	pad := strings.Repeat(" ", column)
	var before value
	for i := range count {
		lead := pad
		if i == 0 {
			lead = prefix
		} else if d.chance(20) {
			d.both(strings.Repeat(" ", d.IntN(max(before.deep, column+1))) + d.one("# about", "#", "# output: |") + "\n")
		}
		d.names++
		if i != at {
			d.both(lead + d.one(fmt.Sprintf("k%d:", d.names), fmt.Sprintf("'k%d' :", d.names), fmt.Sprintf("\"k %d\":", d.names), fmt.Sprintf("é%d:", d.names)))
			before = d.other(column, i == 0 && at > 1 && count > 1)
			d.both(before.text)
			blanks := d.blanks(column)
			if insert && i == count-1 {
				d.insert(in, pad, key, before, blanks)
			} else {
				d.both(blanks)
			}
			continue
		}
		old, blanks := d.scalar(column), d.blanks(column)
		name := d.one(key, key, `"`+key+`"`, "'"+key+"'") + d.one(":", ":", " :")
		if remove {
			before.deep = 0 // for the comments that follow
			d.both("")
			d.edits = append(d.edits, Edit{In: in, Key: key})
			d.src.WriteString(lead + name + old.text + blanks)
			d.after = &after{wereText: old.keeps, wouldBeText: before.keeps, blanks: blanks}
			continue
		}
		d.both(lead + name)
		text, scalar := d.edit(in, key, column)
		d.src.WriteString(old.text + blanks)
		if head, body, found := strings.Cut(scalar, "\n"); found && scalar[0] == '|' {
			d.want.WriteString(" " + head + old.comment + "\n" + body + "\n")
		} else {
			d.want.WriteString(" " + scalar + old.comment + "\n")
		}
		d.after = &after{wereText: old.keeps, wouldBeText: isKept(text, scalar), blanks: blanks}
		before = value{deep: min(old.deep, column+2)} // a comment indented deeper would become part of the new text
	}
	if d.chance(20) {
		d.both(strings.Repeat(" ", d.IntN(max(min(before.deep, column+2), column+1))) + "# end\n")
	}
}

// edit adds an edit and returns its text, as it is and as a scalar.
func (d *document) edit(in, key string, column int) (text, scalar string) {
	text = strings.ToValidUTF8(d.hostile(), "?")
	scalar, err := Scalar(text, column)
	if err != nil {
		panic(err)
	}
	d.edits = append(d.edits, Edit{In: in, Key: key, Text: &text})
	return text, scalar
}

// insert writes an edit that adds a key after the last.
func (d *document) insert(in, pad, key string, before value, blanks string) {
	text, scalar := d.edit(in, key, len(pad))
	d.src.WriteString(blanks)
	if before.keeps {
		d.want.WriteString(blanks) // the empty lines are text of the previous value
	}
	d.want.WriteString(pad + key + ": " + scalar + "\n")
	d.after = &after{wereText: before.keeps, wouldBeText: isKept(text, scalar), blanks: blanks, inserted: true}
}

// isKept reports whether empty lines after a scalar would become part of its text.
func isKept(text, scalar string) bool {
	return scalar[0] == '|' && strings.HasSuffix(text, "\n\n")
}

// newDocument writes a mapping that holds a list of mappings.
func newDocument(r random) *document {
	d := &document{random: r}
	d.both(d.one("", "# top\n", "\n", "---\n", "# é\n\n"))
	list := d.one("", "  ")
	d.both("cases:" + d.comment() + "\n" + d.blanks(0))
	for i := range 1 + d.IntN(4) {
		if d.chance(20) {
			d.both(list + "# case\n")
		}
		dash := list + "-" + strings.Repeat(" ", 1+d.IntN(3))
		d.mapping(fmt.Sprintf("/cases/%d", i), dash, len(dash))
	}
	if d.chance(30) {
		d.both("more:\n")
		d.mapping("/more", "  ", 2)
	}
	last, end := d.after, d.one("", "", "...\n", "# end\n", "...\n# end\n")
	d.both(end)
	if d.chance(20) && (end != "" || last == nil || last.blanks == "" && !last.inserted) {
		d.cut(end == "" && last != nil)
	}
	return d
}

// cut removes the last line end of the document. The result has it if the last line is edited.
func (d *document) cut(edited bool) {
	src, want := d.src.String(), d.want.String()
	d.src.Reset()
	d.src.WriteString(strings.TrimSuffix(src, "\n"))
	if !edited {
		d.want.Reset()
		d.want.WriteString(strings.TrimSuffix(want, "\n"))
	}
}

// TestSpliceRandom edits random documents, and checks every byte of the result.
func TestSpliceRandom(t *testing.T) {
	t.Parallel()
	edits := 0
	for i := range *documents {
		d := newDocument(random{rand.New(rand.NewPCG(*seed, uint64(i)))})
		src, want := d.src.String(), d.want.String()
		edits += len(d.edits)
		got, err := Splice([]byte(src), d.edits)
		if err != nil {
			t.Fatalf("document %d: %v\n%s\n%+v", i, err, src, d.edits)
		}
		if string(got) != want {
			t.Fatalf("document %d:\n%s\nbecame\n%s\nwant\n%s\ndiffer at %d", i, src, got, want, common(string(got), want))
		}
		if was, is := intended(t, src, d.edits), decoded(t, string(got)); !reflect.DeepEqual(was, is) {
			t.Fatalf("document %d:\n%s\nbecame\n%s\nwhich says %v, want %v", i, src, got, is, was)
		}
	}
	t.Logf("%d documents with %d edits came out byte for byte", *documents, edits)
}

func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// intended returns the values of a document after the edits.
func intended(t *testing.T, src string, edits []Edit) map[string]any {
	t.Helper()
	m := decoded(t, src)
	for _, e := range edits {
		at, _ := m["more"].(map[string]any)
		var i int
		if n, _ := fmt.Sscanf(e.In, "/cases/%d", &i); n == 1 {
			at = m["cases"].([]any)[i].(map[string]any)
		}
		if delete(at, e.Key); e.Text != nil {
			at[e.Key] = *e.Text
		}
	}
	return m
}
