package pages

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTeacherBrowser goes from a list to an invitation in Chromium, and looks at every page of a teacher. The table of
// people changes by itself.
func TestTeacherBrowser(t *testing.T) {
	c := newWindows(t)
	w, tea := classroom(t)
	list := filepath.Join(t.TempDir(), "class.csv")
	if err := os.WriteFile(list, []byte("Name;Gruppe\nBob Ray;g1\nCid Öz;g2\nA rather long name of a student who has several;g1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	window := c.newWindow()
	at := func(path string) chromedp.Action[chromedp.Void] { return chromedp.Navigate(w.server.URL + path) }
	c.run(window, "sign in", at("/c/c/people"), chromedp.WaitVisible(`input[name=password]`), chromedp.SendKeys(`input[name=login]`, "tea"), chromedp.SendKeys(`input[name=password]`, password("tea")+"\r"), chromedp.WaitVisible(`//th[contains(., "Name of ann")]`))
	wrong := w.browser("ann").submission("c", "a", "WA once")
	w.browser("ann").submission("c", "b", "AC")
	c.run(window, "the table changes", chromedp.WaitVisible(`//td[contains(@class, "solved")]`))
	c.run(window, "import", at("/c/c/import"), chromedp.SetUploadFiles(`input[type=file]`, []string{list}), chromedp.Click(`form.ask button`), chromedp.WaitVisible(`//h1[contains(., "What would change")]`))
	c.picture(window, "import-preview")
	c.run(window, "apply", chromedp.Click(`main form button`), chromedp.WaitVisible(`//code[contains(., "/join/tj_")]`))
	c.picture(window, "import-done")
	c.run(window, "store the links", chromedp.Click(`a[download]`))
	w.mend()
	batch := filepath.Base(tea.post("/c/c/rejudge", url.Values{"problem": {"a"}}).Header.Get("Location"))
	w.judged(batch)
	tea.post("/c/c/s/"+wrong+"/rule", url.Values{"verdict": {"RTE"}, "points": {"0.5"}, "reason": {"it is half right"}}).want(t, http.StatusSeeOther)
	drawn, pair := w.alike(tea)
	c.run(window, "the drawing", at(drawn), chromedp.WaitVisible(`img.drawing`))
	if shown, err := chromedp.Run(window, chromedp.Evaluate[int](`document.querySelector("img.drawing").naturalWidth`)); err != nil || shown != 300 {
		t.Errorf("the drawing is %d pixels wide, %v", shown, err)
	}
	for _, page := range [][2]string{
		{"drawing", drawn}, {"likeness", "/c/d/likeness"}, {"pair", pair}, {"sheets", "/c/d/sheets"}, {"sheet", "/c/d/sheets/ann?sources=yes"},
		{"people", "/c/c/people"}, {"import", "/c/c/import"}, {"person", "/c/c/person/ann"}, {"person-new", "/c/c/person"}, {"settings", "/c/c/settings"},
		{"ruled", "/c/c/s/" + wrong}, {"judging", "/c/c/s/" + wrong + "/judging/1"}, {"rejudge", "/c/c/rejudge"}, {"rejudge-preview", "/c/c/rejudge/" + batch},
	} {
		c.run(window, page[0], at(page[1]), chromedp.WaitVisible(`h1`))
		c.picture(window, page[0])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.said {
		t.Errorf("the browser says: %s", text)
	}
}
