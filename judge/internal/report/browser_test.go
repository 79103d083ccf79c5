package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A browser is Chromium without a window, driven through the pipe of its DevTools protocol
// (https://chromedevtools.github.io/devtools-protocol/). It shows one page at a time.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string // of the page
	calls   int
	events  []browserEvent // those that no call has looked at
}

// A browserEvent is a message that answers no call.
type browserEvent struct {
	Method string
	Params json.RawMessage
}

// patience is how long a test waits for the browser, which hangs on some broken installations.
const patience = 5 * time.Minute

// newBrowser starts a browser that ends with the test. It skips the test if none is installed.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("not checked: HTML pages in a browser (chromium is not installed)")
	}
	profile, err := os.MkdirTemp("", "browser-")
	if err != nil {
		t.Fatal(err)
	}
	commands, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+profile)
	cmd.ExtraFiles = []*os.File{commands, answers} // the browser reads from 3 and writes to 4
	var words bytes.Buffer
	cmd.Stderr = &words
	cmd.WaitDelay = time.Second // a process of the browser may outlive it
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	commands.Close()
	answers.Close()
	if err := out.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		in.Close() // ends it
		_ = cmd.Wait()
		out.Close()
		os.RemoveAll(profile)
		if t.Failed() {
			t.Logf("the browser says:\n%s", &words)
		}
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call calls a method and decodes its result into result, unless that is nil.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.calls++
	text, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{b.calls, method, params, b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		m := b.read()
		if m.ID != b.calls {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

// browserMessage is an answer, or an event if ID is 0.
type browserMessage struct {
	ID            int
	Result, Error json.RawMessage
	browserEvent
}

// read reads a message, and keeps it if it is an event.
func (b *browser) read() (m browserMessage) {
	b.t.Helper()
	text, err := b.out.ReadBytes(0)
	if err == nil {
		err = json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m)
	}
	if err != nil {
		b.t.Fatalf("the browser does not answer: %v", err)
	}
	if m.ID == 0 {
		b.events = append(b.events, m.browserEvent)
	}
	return m
}

// open shows the page at an address in a window of the given width, in the scheme light or dark. It
// returns the events until the page has been loaded.
func (b *browser) open(url, scheme string, width int) []browserEvent {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	for {
		for _, e := range b.events {
			if e.Method == "Page.loadEventFired" {
				return b.events
			}
		}
		b.read()
	}
}

// eval evaluates a JavaScript expression in the page, and decodes its value into result. If it is a
// promise, eval waits for it.
func (b *browser) eval(expression string, result any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	if err := json.Unmarshal(r.Result.Value, result); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}
