package archive

import (
	"archive/zip"
	"context"
	"errors"
	"strings"
	"testing"
)

// TestInterrupted cancels an extraction in the middle of a file.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	var packed strings.Builder
	w := zip.NewWriter(&packed)
	large, err := w.Create("large")
	if err == nil {
		_, err = large.Write(make([]byte, 4<<20))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(strings.NewReader(packed.String()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{file: "x.zip", left: 8 << 20}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wrote int
	err = a.copy(ctx, writerFunc(func(p []byte) (int, error) { wrote += len(p); cancel(); return len(p), nil }), &member{open: z.File[0].Open}, "large")
	if !errors.Is(err, context.Canceled) || wrote == 0 || wrote == 4<<20 {
		t.Errorf("wrote %d bytes of a file before %v", wrote, err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
