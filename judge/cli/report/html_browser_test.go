package report

import (
	"bytes"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
)

// TestPagesInBrowser opens the pages in a browser.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	tier.T3(t, "HTML pages in a browser")
	const script = `"'></samp></pre></style><script>alert(1)</script><img src=x onerror=alert(1)>`
	pages := map[string]layouttest.Shown{"class": {Text: gradeReport(t, format.HTML, class(40, 55)), Links: 4}}
	for _, tt := range scenarios() {
		switch tt.name {
		case "verdicts", "matrix", "hostile", "compile-error", "doubtful", "repeat-matrix", "no-cases":
			shown := layouttest.Shown{Text: gradeReport(t, format.HTML, tt.events)}
			if tt.name == "verdicts" {
				shown.Links = 4
			}
			pages[tt.name] = shown
			layouttest.Spoil(&tt.events, script)
			pages[tt.name+"-spoiled"] = layouttest.Shown{Text: gradeReport(t, format.HTML, tt.events)}
		}
	}
	sheet := sheetOf(class(40, 55))
	pages["sheet"] = layouttest.Shown{Text: []byte(sheetReport(t, sheet, format.HTML))}
	own := *sheet
	own.Students = []account.Student{handedOut(sheet.Problems, sheet.Students[len(sheet.Students)-2])}
	var student bytes.Buffer
	if err := sheetHTML(&student, &own, own.Students[0].Name, nil); err != nil {
		t.Fatal(err)
	}
	pages["student"] = layouttest.Shown{Text: student.Bytes()}
	layouttest.Spoil(&sheet, script)
	pages["sheet-spoiled"] = layouttest.Shown{Text: []byte(sheetReport(t, sheet, format.HTML))}
	var drawn bytes.Buffer
	if err := GradeHTML(&drawn, drawnClass(3, 0)); err != nil {
		t.Fatal(err)
	}
	pages["drawn"] = layouttest.Shown{Text: drawn.Bytes(), Pictures: 3}
	layouttest.InBrowser(t, pages)
}
