package pages

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	markup "golang.org/x/net/html"
)

// TestBody checks that a statement has nothing that acts, and that real ones stay whole.
func TestBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"a text", "<p>1 &lt; 2 &amp; <b>so</b></p>", "<p>1 &lt; 2 &amp; <b>so</b></p>"},
		{"a form", `<form method=post action="/c/c/person/eve"><input name=role value=teacher><button>Next</button></form>`, "Next"},
		{"a redirection", `<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="//evil.example">`, ""},
		{"a script", `<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>`, "alert(1)<img>"},
		{"text that looks like more inside", `<textarea></textarea><title><b></title><xmp><form></xmp><style><i></style>`, "&lt;b&gt;&lt;form&gt;&lt;i&gt;"},
		{"links", `<a href="javascript:alert(1)">a</a><a href=" /sign-out">b</a><a href="HTTPS://x.org" target=_top id=main>c</a>`, `<a>a</a><a>b</a><a href="HTTPS://x.org">c</a>`},
		{"pictures", `<img src="/c/c/s/1" alt=x><img src="data:image/png;base64,AA=="><img src="data:text/html,x">`, `<img alt="x"><img src="data:image/png;base64,AA=="><img>`},
		{"styles", `<img style="width:45%"><img style="width:5cm"><td style="text-align:right">1<figure class="wrapped" style="width:30%"><p style="position:fixed" align="left"><div style="width:9px;x:y">`, `<img data-width="50"><img width="188"><td align="right">1<figure class="wrapped" data-width="30"><p><div>`},
		{"a quote that does not end", `<p title="x><b>y`, ""},
		{"a comment", `<!--><form>--><p>`, "--&gt;<p>"},
		{"frames and templates", `<iframe srcdoc="<form>"></iframe><template><form></template><object data=x></object><dialog open>x</dialog>`, "x"},
		{"MathML with HTML in it", `<math display="block"><annotation-xml encoding="text/html"><form></annotation-xml><mi href="javascript:x">x</mi></math>`, `<math display="block"><mi>x</mi></math>`},
	} {
		if got := string(bodyOf(tt.text)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
	// What the writers of statements and of formulas make stays as it is.
	files, err := filepath.Glob("../../../publish/statement/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, "../../../publish/texmath/testdata/formulas.golden") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, page, ok := strings.Cut(string(text), "-- want.html --\n"); ok {
			page, _, _ = strings.Cut(page, "-- want.md --")
			text = []byte(page)
		} else if math := regexp.MustCompile(`(?m)^    <math.*$`).FindAll(text, -1); math != nil {
			text = bytes.Join(math, nil)
		}
		var all strings.Builder
		for z := markup.NewTokenizer(bytes.NewReader(text)); z.Next() != markup.ErrorToken; {
			all.WriteString(z.Token().String())
		}
		styles := regexp.MustCompile(` (style|align|data-width|width)="[^"]*"`)
		if diff := cmp.Diff(styles.ReplaceAllString(all.String(), ""), styles.ReplaceAllString(string(bodyOf(string(text))), "")); diff != "" {
			t.Errorf("%s has lost something (-want +got):\n%s", name, diff)
		}
	}
}
