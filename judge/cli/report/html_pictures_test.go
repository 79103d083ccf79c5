package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// hostilePicture does in a page of its own what a picture of an output might try.
const hostilePicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20" onload="alert(1)">` +
	`<style>@import url(http://example.org/a.css); body, table { display: none }</style><script>alert(1)</script>` +
	`<image href="http://example.org/a.png"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>` +
	`<circle id="matrix" r="9"><animate attributeName="cx" values="0;40" dur="1s" repeatCount="indefinite"/></circle><text y="9">%s</text></svg>`

// drawnClass returns a judged class in which every fifth submission fails. The page of each of
// these has one of the given number of pictures, each of this size at least.
func drawnClass(pictures, size int) *account.Execution {
	x := &account.Execution{Full: MaxFull}
	for _, e := range class(200, 55) {
		x.Apply(e)
	}
	x.Drawable, x.Command = true, []string{"judge", "grade", "maze"}
	n := 0
	for _, s := range x.Submissions {
		c := s.Deciding()
		switch {
		case c == nil:
		case n < 2*pictures:
			c.Picture = fmt.Appendf(nil, hostilePicture, strings.Repeat("x", size)+number(n%pictures))
			n++
		default:
			c.Undrawn = "the page has enough drawings"
		}
	}
	return x
}

// TestPictures checks that a page has each picture once, as an image, and names the command otherwise.
func TestPictures(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := GradeHTML(&b, drawnClass(5, 60<<10)); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, `<img class="drawing" src="data:image/svg&#43;xml;base64,`); n != 5 {
		t.Errorf("%d pictures", n)
	}
	if n := strings.Count(text, "an earlier drawing"); n != 5 {
		t.Errorf("%d links to pictures", n)
	}
	if !strings.Contains(text, "not drawn: the page has enough drawings") || !strings.Contains(text, " | judge draw maze -o drawing.svg ") {
		t.Error("the page does not say how to draw the others")
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "<svg") || len(text) > 3<<20 {
		t.Errorf("%d bytes, with parts of pictures", len(text))
	}
	_, first, _ := strings.Cut(text, "base64,")
	first, _, _ = strings.Cut(first, `"`)
	first = strings.ReplaceAll(first, "&#43;", "+")
	if svg, err := base64.StdEncoding.DecodeString(first); err != nil || !bytes.HasPrefix(svg, []byte("<svg ")) {
		t.Errorf("%v: %.40s", err, svg)
	}
}

func TestDrawCommand(t *testing.T) {
	t.Parallel()
	plain := []string{"judge", "grade", "maze"}
	for _, tt := range []struct {
		why     string
		command []string
		name    string
		c       grade.Case
		want    string
	}{
		{"a rerun", plain, "a b.c", grade.Case{Name: "edge/[1]"}, `judge run maze --case 'edge/\[1]' 'a b.c' | judge draw maze -o drawing.svg 'edge/\[1]' -`},
		{"kept", plain, "a.c", grade.Case{Name: "edge/one", Kept: "kept/one.out"}, "judge draw maze -o drawing.svg edge/one kept/one.out"},
		{"flags", append(plain, "--root=x", "--lang=c", "--limits=cpu=2s", "--exact=true"), "-a.c", grade.Case{Name: "one"},
			"judge run maze --root=x --lang=c --limits=cpu=2s --case one -- -a.c | judge draw maze --root=x -o drawing.svg one -"},
		{"standard input", plain, "-", grade.Case{Name: "one"}, ""},
		{"no command", nil, "a.c", grade.Case{Name: "one"}, ""},
		{"not judged", plain, "a.c", grade.Case{Name: "one", Verdict: verdict.JE}, ""},
	} {
		x := &account.Execution{}
		x.Command, x.Drawable = tt.command, true
		c := account.NewCase(&tt.c)
		if got := drawCommand(x, &account.Submission{Name: tt.name}, &c); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, tt.want)
		}
	}
}
