package grade

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestAnswerChanges changes an answer file while an output is compared with it: that case gets JE,
// and the others their verdicts.
func TestAnswerChanges(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line of the answer\n", 100_000)
	for why, change := range map[string]func(path string) error{
		"cut short":           func(path string) error { return os.Truncate(path, 4096) },
		"emptied":             func(path string) error { return os.Truncate(path, 0) },
		"another of its size": func(path string) error { return os.WriteFile(path, []byte(strings.ToUpper(text)), 0) },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte(text), 0o600), os.Rename(path+".new", path))
		},
	} {
		path := filepath.Join(t.TempDir(), "2.ans")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		long := time.Now().Add(-time.Hour) // file system timestamps are coarse
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		answer, err := content.File("data/secret/2.ans", func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			t.Fatal(err)
		}
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if string(r.Input) != "2" {
				return r.Print("right\n"), nil
			}
			r.Print(text[:len(text)/2])
			if err := change(path); err != nil {
				t.Error(err)
			}
			return r.Print(text[len(text)/2:]), nil
		})
		task := newTask(list("secret/1", "secret/2", "secret/3"), submit(t, "unread"))
		right := content.Of([]byte("right\n"))
		task.All = true
		played{
			"secret/1": {Want: right}, "secret/2": {Input: content.Of([]byte("2")), Want: answer}, "secret/3": {Want: right},
		}.give(task.Cases)
		var got []string
		err = newJudge(t, host, 1, nil).Grade(t.Context(), task, func(e Event) {
			if c, ok := e.(*Case); ok {
				got = append(got, c.Verdict.String()+" "+c.Cause)
			}
		})
		want := "AC |JE the judge failed: data/secret/2.ans changed while it was read|AC "
		if strings.Join(got, "|") != want || err != nil {
			t.Errorf("%s: %q (%v), want %q", why, got, err, want)
		}
	}
}
