package layouttest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	chromium "tribunal/judge/publish/browser"
)

// A browser is Chromium without a window. It shows one page at a time.
type browser struct {
	t      *testing.T
	ctx    context.Context
	mu     sync.Mutex
	events []any // of the page, since it was opened
}

// patience is how long a test waits for the browser, which hangs on some broken installations.
const patience = 5 * time.Minute

// newBrowser starts a browser that ends with the test. It skips the test if none is installed.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := chromium.Find()
	if err != nil {
		t.Skipf("not checked: HTML pages in a browser (%v)", err)
	}
	var words bytes.Buffer
	ctx, stop := context.WithTimeout(t.Context(), patience)
	ctx, kill := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.CombinedOutput(&words))...)
	b := &browser{t: t}
	ctx, closed := chromedp.NewContext(ctx, chromedp.WithListener(func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.events = append(b.events, e)
	}))
	b.ctx = ctx
	t.Cleanup(func() {
		closed()
		kill() // waits for its end
		stop()
		if t.Failed() {
			t.Logf("the browser says:\n%s", &words)
		}
	})
	b.do()
	return b
}

// do runs actions in the page.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatalf("the browser fails: %v", err)
	}
}

// open shows the page at an address in a window of the given width, in the scheme light or dark. It
// returns the events until the page has been loaded.
func (b *browser) open(url, scheme string, width int) []any {
	b.t.Helper()
	mobile := func(p *emulation.SetDeviceMetricsOverrideParams, _ *emulation.SetTouchEmulationEnabledParams) {
		p.Mobile = width < 600
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	b.do(chromedp.EmulateViewport(int64(width), 800, mobile), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	}))
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	b.do(chromedp.Navigate(url))
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.events)
}

// eval evaluates a JavaScript expression in the page, and decodes its value into result. If it is a
// promise, eval waits for it.
func (b *browser) eval(expression string, result any) {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(text, result)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// pageChecks is a script that defines the functions that [InBrowser] calls.
//
//go:embed page_checks.js
var pageChecks string

// A Shown is a page for [InBrowser].
type Shown struct {
	Text     []byte
	Pictures int // that it has
	Links    int // that it has at least
}

// InBrowser opens pages in a browser, in both schemes, on a phone and a desk. They must load nothing, run nothing, fit
// on the screen, be readable, and lead to every explanation by keyboard. Without a browser it skips the test.
func InBrowser(t *testing.T, pages map[string]Shown) {
	t.Helper()
	b := newBrowser(t)
	dir := t.TempDir()
	for name, shown := range pages {
		file := filepath.Join(dir, name+".html")
		if err := os.WriteFile(file, shown.Text, 0o600); err != nil {
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
				if found.Pictures != shown.Pictures {
					where("%d of %d pictures are shown", found.Pictures, shown.Pictures)
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
				if found.Links < shown.Links {
					where("%d links", found.Links)
				}
			}
		}
	}
}
