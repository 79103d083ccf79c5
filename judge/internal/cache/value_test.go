package cache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/internal/content"
)

type rule interface{ rule() }

type every struct{ N int }

type first struct{ N int }

func (every) rule() {}
func (first) rule() {}

type branch struct {
	Name  string
	Cases []int
	Rule  rule
	Below []*branch
	Call  func()
	own   [2]float64
}

// TestValue checks that equal values have one key, wherever they are in memory, and that no difference
// is lost.
func TestValue(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	changed := func(change func(*branch)) *branch {
		v := &branch{Name: "a", Cases: []int{1, 2}, Rule: every{}, Below: []*branch{{Name: "b", Cases: []int{3}}}}
		change(v)
		return v
	}
	seen := map[Key]int{}
	for i, value := range []func() []any{
		func() []any { return nil },
		func() []any { return []any{(*branch)(nil)} },
		func() []any { return []any{changed(func(v *branch) { v.Call = func() {} })} },
		func() []any { return []any{changed(func(v *branch) { v.Below[0].Cases[0] = 4 })} },
		func() []any { return []any{changed(func(v *branch) { v.Below[0].Name = "c" })} },
		func() []any { return []any{changed(func(v *branch) { v.Below = nil })} },
		func() []any { return []any{changed(func(v *branch) { v.Rule = first{} })} },
		func() []any { return []any{changed(func(v *branch) { v.Rule = every{1} })} },
		func() []any { return []any{changed(func(v *branch) { v.own[1] = -1 })} },
		func() []any { return []any{[]string{"a", "b"}} },
		func() []any { return []any{[]string{"ab"}} },
		func() []any { return []any{[]string{"a", "b"}, []string(nil)} },
		func() []any { return []any{[]string{"a"}, []string{"b"}} },
		func() []any { return []any{map[string][]byte{"a": {1}, "b": {2}, "c": {}}} },
		func() []any { return []any{map[string][]byte{"a": {1}, "b": {}, "c": {2}}} },
		func() []any { return []any{now.Round(0)} },
		func() []any { return []any{now.Add(time.Nanosecond)} },
		func() []any { return []any{content.Of([]byte("text"))} },
		func() []any { return []any{content.Of([]byte("texts"))} },
	} {
		key := func() Key {
			h := NewHasher("test")
			if err := h.Value(value()...); err != nil {
				t.Fatal(err)
			}
			return h.Key()
		}
		k := key()
		for range 20 { // the order of a map varies
			if key() != k {
				t.Errorf("%d has two keys", i)
			}
		}
		if other, known := seen[k]; known {
			t.Errorf("%d has the key of %d", i, other)
		}
		seen[k] = i
	}
	gone, err := content.File(file, func() (*os.File, error) { return os.Open(file) })
	if err := errors.Join(err, os.Remove(file)); err != nil {
		t.Fatal(err)
	}
	if err := NewHasher("test").Value(struct{ C content.Content }{gone}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
}
