package pages

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/chromedp"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestOperatorInBrowser goes through the pages of an operator in Chromium, and releases what is held.
func TestOperatorInBrowser(t *testing.T) {
	c := newWindows(t)
	w := start(t)
	w.problem("a")
	w.problem("maze-with-a-long-name")
	w.contest("c")
	ann := w.browserOf("c", "ann", ledger.Participant)
	w.set(10)
	ann.submission("c", "a", "WA")
	ann.submission("c", "a", "slow")
	held := ann.submission("c", "a", "fail")
	for _, one := range []service.Worker{
		{Languages: []string{"c", "cpp", "go", "java", "python3"}, Seen: begin},
		{Sick: "the jail does not hold: fork bomb; then the next run (hint: judge doctor)", Seen: begin},
	} {
		one.Worker, one.Host.Host, one.Build, one.CPUs, one.Slots, one.Load, one.Factor = "vm-1", "vm-of-the-faculty", "v2.1.0", 4, 2, 1.25, 1.5
		if one.Sick != "" {
			one.Worker = "vm-2"
		}
		data, err := json.Marshal(one)
		if err == nil {
			err = w.store.Board.Post(t.Context(), service.WorkersKey+"."+one.Worker, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	root := c.newWindow()
	at := func(path string) chromedp.Action[chromedp.Void] { return chromedp.Navigate(w.server.URL + path) }
	c.run(root, "sign in", at("/admin"), chromedp.WaitVisible(`input[name=password]`), chromedp.SendKeys(`input[name=password]`, w.admin+"\r"), chromedp.WaitVisible(`//dt[text()="workers ready"]`))
	c.picture(root, "admin")
	for _, page := range []string{"workers", "problems", "tokens", "held"} {
		c.run(root, page, at("/admin/"+page), chromedp.WaitVisible(`h1`))
		c.picture(root, "admin-"+page)
	}
	if _, err := chromedp.Run(root, chromedp.Evaluate[string](`document.body.id = "before"`)); err != nil {
		t.Fatal(err)
	}
	c.run(root, "release", chromedp.Click(`//button[contains(@aria-label, "`+held+`")]`), chromedp.WaitVisible(`body:not(#before) h1`))
	w.until(held, func(j *ledger.Judging) bool { return j.Status == ledger.Held && j.Attempt == 7 })
	c.run(root, "make a token", at("/admin/tokens"), chromedp.WaitVisible(`input[name=owner]`), chromedp.SendKeys(`input[name=owner]`, "web site"),
		chromedp.Click(`input[value=submit]`), chromedp.Click(`form.narrow button`), chromedp.WaitVisible(`//pre[starts-with(text(), "tj_")]`))
	c.picture(root, "admin-token")
}
