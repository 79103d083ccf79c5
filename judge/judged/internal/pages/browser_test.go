package pages

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"tribunal/judge/judged/internal/ledger"
	chromium "tribunal/judge/publish/browser"
)

// picturesVariable names a folder to which TestBrowser writes a picture of each page.
const picturesVariable = "TRIBUNAL_PICTURES"

// windows are windows of Chromium, without a screen. They share what scripts and the policy complained about.
type windows struct {
	t    *testing.T
	mu   sync.Mutex
	said []string
}

// patience is how long a step may take, which is long for a busy host.
const patience = 40 * time.Second

// newWindow opens a window with cookies of its own.
func (c *windows) newWindow(path string) context.Context {
	c.t.Helper()
	ctx, stop := context.WithTimeout(c.t.Context(), 3*time.Minute)
	ctx, kill := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)...)
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
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		c.t.Fatalf("%s: %v", what, err)
	}
}

// picture checks a page: nothing is wider than the window. It writes a picture if someone wants it.
func (c *windows) picture(ctx context.Context, name string) {
	c.t.Helper()
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
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > innerWidth`))
		if err != nil {
			c.t.Fatal(err)
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
	path, err := chromium.Find()
	if err != nil {
		t.Skipf("not checked: the pages in a browser (%v)", err)
	}
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
	c := &windows{t: t}
	ann, hall := c.newWindow(path), c.newWindow(path)
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
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	id := filepath.Base(u.Path)
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
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.said {
		t.Errorf("the browser says: %s", text)
	}
}
