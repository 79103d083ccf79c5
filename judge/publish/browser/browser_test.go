package browser

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestPDF prints a page.
func TestPDF(t *testing.T) {
	if _, err := Find(); err != nil {
		t.Skip("not checked: printing (no Chromium)")
	}
	pdf, err := PDF(t.Context(), []byte("<!DOCTYPE html><title>x</title><p>hello"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("%q is no PDF", pdf[:min(len(pdf), 20)])
	}
}

// TestErrors checks what happens without a browser, with one that prints nothing, and with one that
// is interrupted, and that no files stay.
func TestErrors(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("PATH", temp)
	if _, err := PDF(t.Context(), nil); !errors.Is(err, ErrNone) {
		t.Errorf("without a browser: %v", err)
	}
	script := filepath.Join(temp, "chromium")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho first >&2\necho it is broken >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := PDF(t.Context(), nil); err == nil || err.Error() != script+" printed no PDF: exit status 1: it is broken" {
		t.Errorf("a browser that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := PDF(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if list, err := os.ReadDir(temp); err != nil || len(list) != 1 {
		t.Errorf("files stay: %v, %v", list, err)
	}
}
