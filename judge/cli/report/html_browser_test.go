package report

import (
	"bytes"
	_ "embed"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"tribunal/internal/tier"
)

// pageChecks is a script that defines the functions that TestPagesInBrowser calls.
//
//go:embed testdata/page_checks.js
var pageChecks string

// TestPagesInBrowser opens the pages in a browser, in both schemes, on a phone and a desk. They must
// load nothing, run nothing, fit on the screen, be readable, and lead to every explanation by
// keyboard.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	tier.T3(t, "HTML pages in a browser")
	b := newBrowser(t)
	dir := t.TempDir()
	pages := map[string][]byte{"class": gradeReport(t, Page, class(40, 55))}
	for _, tt := range scenarios() {
		switch tt.name {
		case "verdicts", "matrix", "hostile", "compile-error", "doubtful", "repeat-matrix", "no-cases":
			pages[tt.name] = gradeReport(t, Page, tt.events)
			spoil(&tt.events, `"'></samp></pre></style><script>alert(1)</script><img src=x onerror=alert(1)>`)
			pages[tt.name+"-spoiled"] = gradeReport(t, Page, tt.events)
		}
	}
	var mutants bytes.Buffer
	if err := MutantsHTML(&mutants, oneOfEach()); err != nil {
		t.Fatal(err)
	}
	pages["mutants"] = mutants.Bytes()
	sheet := sheetOf(class(40, 55))
	pages["sheet"] = []byte(sheetReport(t, sheet, Page))
	spoil(&sheet, `"'></samp></pre></style><script>alert(1)</script><img src=x onerror=alert(1)>`)
	pages["sheet-spoiled"] = []byte(sheetReport(t, sheet, Page))
	var drawn bytes.Buffer
	if err := GradeHTML(&drawn, drawnClass(3, 0)); err != nil {
		t.Fatal(err)
	}
	pages["drawn"] = drawn.Bytes()
	for name, text := range pages {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		address := (&url.URL{Scheme: "file", Path: file}).String()
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int{390, 1280} {
				where := func(format string, args ...any) {
					t.Helper()
					t.Errorf("%s, %s, %d wide: "+format, append([]any{name, scheme, width}, args...)...)
				}
				for _, e := range b.open(address, scheme, width) {
					switch e := e.(type) {
					case *network.EventRequestWillBeSent:
						if e.Request.URL != address && !strings.HasPrefix(e.Request.URL, "data:image/svg+xml;base64,") {
							where("loads %s", e.Request.URL)
						}
					case *log.EventEntryAdded:
						where("log: %s", e.Entry.Text)
					case *runtime.EventConsoleAPICalled, *runtime.EventExceptionThrown, *cdpage.EventJavascriptDialogOpening:
						where("%T: %+v", e, e)
					}
				}
				var found struct {
					Pictures           int // that have been decoded
					Width              int
					Links, Scripts     int
					Uneven             int // rows of the matrix that have not the cells of its head
					Dark, Allowed      bool
					Pale, Dead, Closed []string
				}
				b.eval(pageChecks+"; checkPage()", &found)
				if found.Width > width {
					where("is %d wide", found.Width)
				}
				if pictures := map[string]int{"drawn": 3}[name]; found.Pictures != pictures {
					where("%d of %d pictures are shown", found.Pictures, pictures)
				}
				if found.Uneven > 0 {
					where("%d rows of the matrix have other columns", found.Uneven)
				}
				if found.Dark != (scheme == "dark") {
					where("dark is %v", found.Dark)
				}
				for _, text := range found.Pale {
					where("too little contrast: %s", text)
				}
				for _, text := range found.Dead {
					where("link leads nowhere or cannot be focused: %s", text)
				}
				for _, text := range found.Closed {
					where("link leads to hidden text: %s", text)
				}
				if found.Scripts > 0 || found.Allowed {
					where("%d scripts, others may run: %v", found.Scripts, found.Allowed)
				}
				if (name == "verdicts" || name == "class") && found.Links < 4 {
					where("%d links", found.Links)
				}
			}
		}
	}
}
