package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
)

// reader reads a large input as its argument says.
const reader = `#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
	static char buf[1 << 16];
	unsigned long n = 0, sum = 0;
	if (!strcmp(argv[1], "close")) { close(0); usleep(50000); return 0; }
	if (!strcmp(argv[1], "some")) { if (read(0, buf, 9) != 9) return 1; }
	if (!strcmp(argv[1], "all")) for (int k; (k = read(0, buf, sizeof buf)) > 0; n += k) for (int i = 0; i < k; i += 4096) sum += buf[i];
	printf("%lu %d\n", n, sum > 0);
	return 0;
}`

// TestLargeInput feeds a program an input from a file that is too large to be copied into memory.
func TestLargeInput(t *testing.T) {
	tier.T2(t, "inputs that real programs read from files")
	exe := compileC(t, reader)
	size := int64(64*limits.MiB) + 12345 // of which the disk holds only the beginning
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, bytes.Repeat([]byte{1}, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			if err := file.Truncate(size); err != nil {
				t.Fatal(err)
			}
			data, err := content.File("1.in", func() (*os.File, error) { return os.Open(path) })
			if err != nil {
				t.Fatal(err)
			}
			stage := newStage(t, mode, exe)
			l := limits.Limits{CPU: time.Minute, Wall: hang, Memory: 16 * limits.MiB, Output: limits.KiB, Processes: 8}
			var out bytes.Buffer
			play := func(what string, input content.Content) Outcome {
				out.Reset()
				return stage.play(t, Job{Program: stage.p, Args: []string{what}, Input: input, Stdout: &out, Limits: l})
			}
			play("none", content.Content{})
			warmThreads()
			before := held(t)
			for _, tt := range []struct{ why, what, want string }{
				{"all of the input is read, and does not count as memory of the program", "all", "67121209 1\n"},
				{"a program may exit after reading only a part of the input", "some", "0 0\n"},
				{"a program may exit without reading anything", "none", "0 0\n"},
				{"a program may close its input and continue", "close", ""},
			} {
				if o := play(tt.what, data); o.Err != nil || !o.OK(l) || out.String() != tt.want {
					t.Errorf("%s: %+v %q", tt.why, o, out.String())
				}
			}
			expectHeld(t, before)
			// The program must not take the truncated file for a complete input.
			if err := file.Truncate(size / 2); err != nil {
				t.Fatal(err)
			}
			if o := play("all", data); o.Err == nil || !strings.Contains(o.Err.Error(), "input: 1.in changed while it was read") {
				t.Errorf("a truncated file: %+v %q", o, out.String())
			}
			expectHeld(t, before)
		})
	}
}
