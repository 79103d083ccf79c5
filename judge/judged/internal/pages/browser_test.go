package pages

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/ledger"
	chromium "tribunal/judge/publish/browser"
)

// picturesVariable names a folder to which TestBrowser writes a picture of each page.
const picturesVariable = "TRIBUNAL_PICTURES"

// windows are windows of Chromium, without a screen. They share what scripts and the policy complained about.
type windows struct {
	t    *testing.T
	path string // of Chromium
	axe  string // the script of axe-core; "" if it is not installed
	mu   sync.Mutex
	said []string
}

// newWindows skips a test without Chromium.
func newWindows(t *testing.T) *windows {
	t.Helper()
	path, err := chromium.Find()
	if err != nil {
		t.Skipf("not checked: the pages in a browser (%v)", err)
	}
	c := &windows{t: t, path: path}
	t.Run("axe", func(t *testing.T) {
		root, err := exec.Command("npm", "root", "--global").Output()
		if err == nil {
			var script []byte
			script, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
			c.axe = string(script)
		}
		if err != nil {
			t.Skip("not checked: the pages by the rules of axe (no axe-core: npm install -g axe-core)")
		}
	})
	t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, text := range c.said {
			t.Errorf("the browser says: %s", text)
		}
	})
	return c
}

// newWindow opens a window with cookies of its own.
func (c *windows) newWindow() context.Context {
	c.t.Helper()
	late := tier.Deadline(c.t)
	ctx, stop := context.WithDeadline(c.t.Context(), late)
	ctx, kill := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(c.path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WSURLReadTimeout(time.Until(late)))...)
	ctx, closed := chromedp.NewContext(ctx, chromedp.WithListener(c.hear))
	c.t.Cleanup(func() {
		closed()
		kill()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil { // starts it, for as long as ctx
		c.t.Fatal(err)
	}
	return ctx
}

// hear notes what a window complains about.
func (c *windows) hear(e any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case *log.EventEntryAdded:
		c.said = append(c.said, e.Entry.Text+" "+e.Entry.URL)
	case *runtime.EventExceptionThrown:
		c.said = append(c.said, e.ExceptionDetails.Text)
	}
}

func (c *windows) run(ctx context.Context, what string, actions ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		c.t.Fatalf("%s: %v", what, err)
	}
}

// shifted is how far the content of a page moved while it was loaded, as a part of the window.
const shifted = `new Promise((done) => {
	let sum = 0;
	const add = (list) => { for (const e of list) if (!e.hadRecentInput) sum += e.value; };
	const seen = new PerformanceObserver((list) => add(list.getEntries()));
	seen.observe({ type: "layout-shift", buffered: true });
	requestAnimationFrame(() => setTimeout(() => { add(seen.takeRecords()); done(sum); }));
})`

// broken are the rules of axe for WCAG 2.2 AA that a page breaks, with the elements that do.
const broken = `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((all) =>
	all.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html + " " + n.any.map((a) => a.message).join("; ")).join(" | ")))`

// evaluate returns the value of a promise of a page.
func evaluate[T any](c *windows, ctx context.Context, script string) T {
	c.t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		c.t.Fatal(err)
	}
	return value
}

// picture checks a page: nothing moved while it was loaded, nothing is wider than the window, and axe finds nothing. It
// writes a picture if someone wants it.
func (c *windows) picture(ctx context.Context, name string) {
	c.t.Helper()
	if by := evaluate[float64](c, ctx, shifted); by > 0.01 {
		c.t.Errorf("%s: the content moved by %.3f of the window", name, by)
	}
	for _, size := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"wide", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 390, 844, false}} {
		scheme := map[bool]string{true: "dark", false: "light"}[size.dark]
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		c.run(ctx, name, chromedp.EmulateViewport(size.width, size.height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
			return err
		}))
		wide := evaluate[bool](c, ctx, `document.documentElement.scrollWidth > innerWidth`)
		if c.axe != "" {
			c.run(ctx, name, chromedp.Evaluate[chromedp.Void](c.axe))
			for _, rule := range evaluate[[]string](c, ctx, broken) {
				c.t.Errorf("%s, %s: %s", name, size.name, rule)
			}
		}
		png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			c.t.Fatal(err)
		}
		if wide {
			c.t.Errorf("%s, %s: the page is wider than the window", name, size.name)
		}
		if dir := os.Getenv(picturesVariable); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+"-"+size.name+".png"), png, 0o644); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	c.run(ctx, name, chromedp.EmulateViewport(1280, 900))
}

// TestBrowser goes from signing in to an accepted submission in Chromium, while another window watches the standings.
func TestBrowser(t *testing.T) {
	c := newWindows(t)
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Standings = ledger.Public })
	for i := range 12 {
		w.person("c", fmt.Sprintf("p%d", i), ledger.Participant)
	}
	w.person("c", "ann", ledger.Participant)
	w.set(30)
	w.browser("p1").submission("c", "b", "WA of p1")
	w.browser("p2").submission("c", "a", "AC of p2")
	ann, hall := c.newWindow(), c.newWindow()
	at := func(path string) chromedp.Action[chromedp.Void] { return chromedp.Navigate(w.server.URL + path) }
	c.run(hall, "standings", at("/c/c/standings"), chromedp.WaitVisible(`//th[contains(., "Name of ann")]`))
	c.run(ann, "sign in", at("/c/c/p/a"), chromedp.WaitVisible(`input[name=password]`))
	c.picture(ann, "sign-in")
	c.run(ann, "sign in", chromedp.SendKeys(`input[name=login]`, "ann"), chromedp.SendKeys(`input[name=password]`, password("ann")+"\r"), chromedp.WaitVisible(`textarea[name=text]`))
	c.picture(ann, "problem")
	c.run(ann, "hand in", chromedp.SetValue(`select[name=language]`, "cpp"), chromedp.SendKeys(`textarea[name=text]`, "slow at first"), chromedp.Click(`.hand-in button`), chromedp.WaitVisible(`//p[contains(., "Waiting for a worker") or contains(., "in line")]`))
	c.picture(ann, "waiting")
	address, err := chromedp.Run(ann, chromedp.Location())
	if err != nil {
		t.Fatal(err)
	}
	id := path.Base(address)
	for range 3 {
		if err := w.store.Signals.Send("live."+id, []byte(`{"judging":1,"attempt":1,"event":"case","case":"sample/1","verdict":"AC"}`)); err != nil {
			t.Fatal(err)
		}
	}
	c.run(ann, "live", chromedp.WaitVisible(`//p[contains(., "3 cases so far")]`))
	if err := w.service.Cancel(t.Context(), id, 1, "root", "enough"); err != nil {
		t.Fatal(err)
	}
	c.run(ann, "the end of a submission", chromedp.WaitVisible(`//b[text()="cancelled"]`))
	c.run(ann, "the editor indents", at("/c/c/p/a"), chromedp.WaitVisible(`textarea[name=text]`))
	text, err := chromedp.Run(ann, chromedp.Evaluate[string](`(() => {
		const area = document.querySelector("textarea");
		const press = (key) => area.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
		const type = (text) => area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
		type("AC"); press("Enter"); press("Tab"); type("x"); press("Enter"); type("y"); press("Escape"); press("Tab");
		return area.value;
	})()`))
	if err != nil {
		t.Fatal(err)
	}
	if want := "AC\n    x\n    y"; text != want {
		t.Errorf("the editor has %q, want %q", text, want)
	}
	c.run(ann, "hand in again", chromedp.SetValue(`select[name=language]`, "cpp"), chromedp.Click(`.hand-in button`), chromedp.WaitVisible(`//b[text()="AC"]`))
	c.picture(ann, "accepted")
	c.run(hall, "the standings of another window", chromedp.WaitVisible(`//tr[th[contains(., "Name of ann")]]/td[contains(@class, "solved")]`))
	c.picture(hall, "standings")
	wrong := w.browser("ann").submission("c", "b", "WA of ann")
	for _, page := range [][2]string{{"home", "/"}, {"course", "/c/c"}, {"wrong", "/c/c/s/" + wrong}, {"submissions", "/c/c/s"}, {"questions", "/c/c/questions"}, {"account", "/account"}} {
		c.run(ann, page[0], at(page[1]), chromedp.WaitVisible(`h1`))
		c.picture(ann, page[0])
	}
}

// TestFreezeInBrowser freezes standings while a window shows them, and thaws them.
func TestFreezeInBrowser(t *testing.T) {
	c := newWindows(t)
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Standings, c.Thaw = ledger.Public, begin.Add(120*time.Minute) })
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	w.set(30)
	ann.submission("c", "a", "AC")
	hall := c.newWindow()
	cell := func(n int, class string) chromedp.Action[chromedp.Void] {
		return chromedp.WaitVisible(fmt.Sprintf(`//tr[th[contains(., "Name of ann")]]/td[contains(@class, "cell")][%d][contains(@class, "%s")]`, n, class))
	}
	c.run(hall, "standings", chromedp.Navigate(w.server.URL+"/c/c/standings"), cell(1, "solved"))
	w.set(70)
	ann.submission("c", "b", "AC")
	c.run(hall, "a submission in the freeze", cell(2, "pending"), chromedp.WaitVisible(`//p[contains(., "frozen")]`))
	c.picture(hall, "frozen")
	w.set(120)
	c.run(hall, "the thaw", cell(2, "solved"), chromedp.WaitNotPresent(`//p[contains(., "frozen")]`))
}

// TestWithoutScripts goes from signing in to an accepted submission in a browser that runs no scripts.
func TestWithoutScripts(t *testing.T) {
	c := newWindows(t)
	w := start(t)
	w.problem("a")
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	w.set(10)
	ann := c.newWindow()
	c.run(ann, "sign in", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(w.server.URL+"/c/c/p/a"), chromedp.WaitVisible(`input[name=password]`), chromedp.SendKeys(`input[name=login]`, "ann"),
		chromedp.SendKeys(`input[name=password]`, password("ann")+"\r"), chromedp.WaitVisible(`textarea[name=text]`))
	c.run(ann, "hand in", chromedp.SendKeys(`select[name=language]`, "cpp"), chromedp.SendKeys(`textarea[name=text]`, "AC"), chromedp.Click(`.hand-in button`), chromedp.WaitVisible(`//h1/a[contains(@href, "/p/a")]`))
	u, err := chromedp.Run(ann, chromedp.Location())
	if err != nil {
		t.Fatal(err)
	}
	w.until(path.Base(u), func(j *ledger.Judging) bool { return j.Status == ledger.Done })
	c.run(ann, "the verdict", chromedp.Reload(), chromedp.WaitVisible(`//b[text()="AC"]`))
}
