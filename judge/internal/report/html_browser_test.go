package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"
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
	if testing.Short() {
		t.Skip("not checked: HTML pages in a browser (-short)")
	}
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
					switch e.Method {
					case "Network.requestWillBeSent":
						var r struct{ Request struct{ URL string } }
						if err := json.Unmarshal(e.Params, &r); err != nil || r.Request.URL != address {
							where("loads %s", e.Params)
						}
					case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Page.javascriptDialogOpening":
						where("%s: %s", e.Method, e.Params)
					}
				}
				var found struct {
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
