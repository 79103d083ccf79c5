//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/store/storetest"
)

// smallDisk returns a folder on a disk of its own with this many bytes, until the test ends.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("faults", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("not checked: this user cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill fills a disk, and returns a function that makes room again.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	name := filepath.Join(dir, "other")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullDisk fills the disk of a service while it judges. It refuses submissions with a hint, and lets
// others read what it has. When there is room again it goes on by itself.
func TestFullDisk(t *testing.T) {
	tier.T2(t, "a service with a full disk")
	t.Parallel()
	s := alone
	s.disk = smallDisk(t, "32m")
	w := newWorld(t, s)
	ctx := storetest.Patient(t)
	const before, n = 40, 80
	if err := w.client.submit(ctx, before); err != nil {
		t.Fatal(err)
	}
	free := fill(t, s.disk)
	w.awaitLog(ctx, t, "server0", syscall.ENOSPC.Error()) // workers say that they are there, and that is written
	status, text, err := w.client.post(ctx, w.client.urls[0], before)
	for ; ctx.Err() == nil && (err != nil || status == http.StatusServiceUnavailable); status, text, err = w.client.post(ctx, w.client.urls[0], before) {
		w.client.pause(ctx) // its NATS server starts again
	}
	if err != nil || status != http.StatusInsufficientStorage || !strings.Contains(string(text), "(hint: an administrator must make room)") {
		t.Errorf("a submission to a service with a full disk: %d %s, %v", status, text, err)
	}
	var page struct{ Judgings []judging }
	if err := w.client.get(ctx, w.client.urls[0]+"/v1/judgings", &page); err != nil || len(page.Judgings) != before {
		t.Errorf("a service with a full disk lists %d of %d judgings: %v", len(page.Judgings), before, err)
	}
	free()
	if err := w.client.submit(ctx, n); err != nil {
		t.Fatal(err)
	}
	w.check(ctx, t, n)
}

// awaitLog waits until a process has logged a text.
func (w *world) awaitLog(ctx context.Context, t *testing.T, process, text string) {
	t.Helper()
	try(ctx, t, func(context.Context) (bool, error) {
		log, err := os.ReadFile(w.processes[process].log)
		if err == nil && !strings.Contains(string(log), text) {
			err = fmt.Errorf("%s has not logged %q yet", process, text)
		}
		return err == nil, err
	})
}
