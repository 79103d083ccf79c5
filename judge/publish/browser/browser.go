// Package browser prints pages as PDF with the Chromium of this host.
package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tribunal/judge/internal/system"
)

// ErrNone means that no Chromium is installed.
var ErrNone = errors.New("no Chromium is installed")

// names are the programs that are tried, in this order.
var names = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"}

const (
	maxPDF  = 256 << 20
	timeout = 2 * time.Minute
	user    = 1000 // in the browser's user namespace: Chromium refuses its own sandbox as root
)

// Find returns the path of the browser, or [ErrNone].
func Find() (string, error) {
	for _, name := range names {
		if file, err := exec.LookPath(name); err == nil {
			return file, nil
		}
	}
	return "", ErrNone
}

// PDF prints a page of HTML, which must need no other files. The browser runs in namespaces without
// a network, if the host has them, and keeps its files in a temporary folder, which PDF removes.
// The error is [ErrNone] if there is no browser.
func PDF(ctx context.Context, page []byte) (pdf []byte, err error) {
	program, err := Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "judge-print-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, out := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(in, page, 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	said, err := run(ctx, program, dir, in, out, true)
	if err != nil && ctx.Err() == nil {
		said, err = run(ctx, program, dir, in, out, false)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	data, unread := read(out)
	if err == nil {
		err = unread
	}
	if err != nil {
		return nil, fmt.Errorf("%s printed no PDF: %w: %s", program, err, lastLine(said))
	}
	return data, nil
}

// run runs the browser, either in namespaces of its own or in those of the judge.
func run(ctx context.Context, program, dir, in, out string, alone bool) ([]byte, error) {
	args := []string{
		"--headless", "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-dev-shm-usage", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir=" + filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--print-to-pdf=" + out, "file://" + in,
	}
	if !alone && os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // as root it starts only without
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	cmd.WaitDelay = 5 * time.Second
	system.Group(cmd)
	if alone {
		if err := system.Alone(cmd, user); err != nil {
			return nil, err
		}
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	if err == nil {
		_, err = os.Stat(out)
	}
	return said.Bytes(), err
}

func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPDF))
	if err == nil && !bytes.HasPrefix(data, []byte("%PDF-")) {
		err = errors.New("it is no PDF")
	}
	return data, err
}

func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return lines[len(lines)-1]
}
