package document

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

type sample struct {
	Name   string   `json:"name"`
	List   []string `json:"list"`
	Inner  *sample  `json:"inner"`
	Any    any      `json:"any"`
	Many   []sample `json:"many"`
	Score  Number   `json:"score"`
	Hidden []string `json:"-"`
	kept   []string
}

func TestWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		give any
		want string
	}{
		{"a nil list is empty", sample{}, `{"name":"","list":[],"inner":null,"any":null,"many":[],"score":0}`},
		{"nil lists at any depth", &sample{Inner: &sample{}, Any: sample{Many: []sample{{}}}},
			`{"name":"","list":[],"inner":{"name":"","list":[],"inner":null,"any":null,"many":[],"score":0},` +
				`"any":{"name":"","list":[],"inner":null,"any":null,"many":[{"name":"","list":[],"inner":null,"any":null,"many":[],"score":0}],"score":0},"many":[],"score":0}`},
		{"a nil list in an embedded struct", struct{ sample }{}, `{"name":"","list":[],"inner":null,"any":null,"many":[],"score":0}`},
		{"infinity is null", sample{Score: Number(math.Inf(1))}, `{"name":"","list":[],"inner":null,"any":null,"many":[],"score":null}`},
		{"NaN is null", sample{Score: Number(math.NaN())}, `{"name":"","list":[],"inner":null,"any":null,"many":[],"score":null}`},
		{"HTML is not escaped", "<&>", `"<&>"`},
		{"unprintable characters are escaped", "\x1b\x7f\u009b\U000E0001\xff", `"\u001b\u007f\u009b\udb40\udc01\ufffd"`},
		{"U+FFFD itself is escaped too", "\uFFFD", `"\ufffd"`},
	} {
		var b bytes.Buffer
		if err := Write(&b, tt.give); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := json.Compact(&got, b.Bytes()); err != nil {
			t.Fatal(err)
		}
		if got.String() != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.why, got.String(), tt.want)
		}
	}
}

// TestWriteChangesNothing checks that Write does not change the value that it writes.
func TestWriteChangesNothing(t *testing.T) {
	t.Parallel()
	give := &sample{Inner: &sample{kept: []string{"x"}}, Many: []sample{{}}}
	if err := Write(new(bytes.Buffer), give); err != nil {
		t.Fatal(err)
	}
	if give.List != nil || give.Inner.List != nil || give.Many[0].List != nil {
		t.Errorf("changed: %+v", give)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	type one struct {
		A int `json:"a"`
	}
	var b bytes.Buffer
	if err := Line(&b, one{1}, struct{}{}, &struct {
		B []int  `json:"b"`
		C string `json:"c"`
	}{C: "}\n"}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `{"a":1,"b":[],"c":"}\n"}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, v := range []any{1, "{}", []int{1}, nil, (*one)(nil)} {
		if err := Line(&b, v); err == nil {
			t.Errorf("%v became a line", v)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "12.5", "-3", "null"} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if back, _ := json.Marshal(n); string(back) != text {
			t.Errorf("%s became %s", text, back)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	long := "begin" + strings.Repeat("x", MaxText) + "end"
	if got := First(long); len(got) != MaxText || !strings.HasPrefix(got, "begin") {
		t.Errorf("First is %d bytes", len(got))
	}
	if got := Last(long); len(got) != MaxText || !strings.HasSuffix(got, "end") {
		t.Errorf("Last is %d bytes", len(got))
	}
	var b bytes.Buffer
	if err := Line(&b, struct {
		Text Text `json:"text"`
		Tail Tail `json:"tail"`
		None Text `json:"none"`
	}{Text(long), Tail(long), nil}); err != nil || b.String() != `{"text":"`+First(long)+`","tail":"`+Last(long)+`","none":""}`+"\n" {
		t.Errorf("written as %.40s… of %d bytes, %v", b.String(), b.Len(), err)
	}
	if First("a") != "a" || Last("a") != "a" {
		t.Error("a short text is cut")
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("\xff\xfe\x1b[31m \x7f \u2028 \u009b \U000E0001 </script>")
	f.Fuzz(func(t *testing.T, text string) {
		var b, l bytes.Buffer
		if err := Write(&b, sample{Name: text}); err != nil {
			t.Fatal(err)
		}
		if err := Line(&l, sample{Name: text}); err != nil {
			t.Fatal(err)
		}
		if bytes.Count(l.Bytes(), []byte("\n")) != 1 {
			t.Errorf("%d lines", bytes.Count(l.Bytes(), []byte("\n")))
		}
		for _, doc := range [][]byte{b.Bytes(), l.Bytes()} {
			var back sample
			if err := json.Unmarshal(doc, &back); err != nil {
				t.Fatal(err)
			}
			if want := strings.ToValidUTF8(text, "\uFFFD"); utf8.ValidString(text) && back.Name != want {
				t.Errorf("%q became %q", text, back.Name)
			}
			for _, r := range string(doc) {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Errorf("%q stands unescaped", r)
				}
			}
		}
	})
}
