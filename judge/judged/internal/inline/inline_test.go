package inline

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"tribunal/judge/packages/pkgformat"
)

// TestPack checks that the judge reads the package, with the tests in their order.
func TestPack(t *testing.T) {
	t.Parallel()
	tests := []Test{{"1\n", "2\n"}, {"", ""}, {"3 \r\n\x00", "no newline"}}
	data, err := Pack(tests)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "inline.zip")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	pack, err := pkgformat.Open(t.Context(), file, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	p := pack.Draft()
	if len(p.Notes) > 0 || p.Format != pkgformat.Legacy {
		t.Errorf("%v: %v", p.Format, p.Notes)
	}
	for i, c := range p.Cases {
		for file, want := range map[string]string{c.Input: tests[i].Input, c.Answer: tests[i].Output} {
			if text, err := os.ReadFile(filepath.Join(p.Root, file)); err != nil || string(text) != want {
				t.Errorf("%s is %q: %v", c.Name, text, err)
			}
		}
	}
	if len(p.Cases) != len(tests) {
		t.Errorf("%d cases", len(p.Cases))
	}
	again, err := Pack(tests)
	if err != nil || !bytes.Equal(data, again) {
		t.Error("the same tests give other bytes")
	}
	other, err := Pack(tests[:2])
	if err != nil || bytes.Equal(data, other) {
		t.Error("other tests give the same bytes")
	}
}
