package report

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
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
