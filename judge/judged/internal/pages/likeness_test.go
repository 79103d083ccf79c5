package pages

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/lab/likeness"
)

// program returns lines of tokens that make no sense, which the seed decides, after a verdict.
func program(verdict string, seed uint64, lines int, word string) string {
	rng := rand.New(rand.NewPCG(seed, 7))
	tokens := []string{word, word, word, "1", "if", "while", "return", "for", "(", ")", "+", "-", "*", "%", "<", ">", "=", "&", "|", "[", "]", "{", "}", ",", "?"}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (int %s) {\n", verdict, word)
	for range lines {
		for range 10 {
			b.WriteString(" " + tokens[rng.IntN(len(tokens))])
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// TestLikeness finds a disguised copy and two that are the same, shows them side by side, and what has changed since.
func TestLikeness(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c")
	w.contest("empty", func(c *ledger.Course) { c.Problems = nil })
	w.set(10)
	own := program("AC", 1, 30, "mine")
	id := map[string]string{}
	browsers := map[string]*browser{}
	for login, text := range map[string]string{
		"ann": own, "bob": program("AC", 1, 30, "stolen"), "cy": program("AC", 2, 30, "mine"), "dan": program("WA", 3, 30, "x"),
		"eve": "AC {}", "fay": "AC {}", "gus": "AC \xff",
	} {
		w.person("c", login, ledger.Participant)
		browsers[login] = w.browser(login)
		if login == "gus" {
			got := browsers[login].hand("/c/c/p/a", map[string]string{"language": "cpp"}, upload{"a.cpp", text}).want(t, http.StatusSeeOther)
			id[login] = got.Header.Get("Location")[len("/c/c/s/"):]
			w.await(id[login])
			continue
		}
		id[login] = browsers[login].submission("c", "a", text)
	}
	w.person("c", "obs", ledger.Observer)
	w.person("empty", "obs", ledger.Observer)
	obs := w.browser("obs")
	page := obs.get("/c/c/likeness").want(t, http.StatusOK, "A. Problem a", "6 submissions compared", "1 left out", "100 % side by side Name of", "The same, byte for byte:")
	for _, one := range []string{"eve", "fay"} {
		if !strings.Contains(page.text, "Name of "+one) {
			t.Errorf("no %s", one)
		}
	}
	for _, one := range []string{"cy", "dan", "gus"} {
		if strings.Contains(page.text, "Name of "+one) {
			t.Errorf("%s is alike:\n%s", one, plain(page.text))
		}
	}
	pair := func() *reply {
		x, y := id["ann"], id["bob"]
		return obs.get("/c/c/likeness/a/" + min(x, y) + "/" + max(x, y))
	}
	pair().want(t, http.StatusOK, "100 % of the smaller one", "Name of ann", "Name of bob", "int stolen", "int mine", "⇄ lines")
	obs.get("/c/c/likeness/a/"+id["ann"]+"/"+id["cy"]).want(t, http.StatusNotFound, "are not alike")
	obs.get("/c/c/likeness/none/x/y").want(t, http.StatusNotFound)
	obs.get("/c/c/likeness?problem=none").want(t, http.StatusNotFound)
	obs.get("/c/c/likeness?problem=b").want(t, http.StatusOK, "0 submissions compared", "No two share")
	obs.get("/c/empty/likeness").want(t, http.StatusNotFound, "no problems yet")
	browsers["ann"].get("/c/c/likeness").want(t, http.StatusForbidden)

	if _, err := w.service.EraseSubmitter(t.Context(), ledger.SubmitterOf("c", "bob"), "root"); err != nil {
		t.Fatal(err)
	}
	if got := obs.get("/c/c/likeness").want(t, http.StatusOK, "5 submissions compared"); strings.Contains(got.text, "side by side") {
		t.Errorf("an erased one is alike:\n%s", plain(got.text))
	}
	pair().want(t, http.StatusNotFound)
}

// TestLikenessOfArchives compares the sources in archives, whatever else these hold.
func TestLikenessOfArchives(t *testing.T) {
	t.Parallel()
	q := &request{Pages: New(Options{LanguagesOf: languagesOf})}
	half := program("AC", 1, 3, "x")
	for _, tt := range []struct {
		why      string
		data     []byte
		text, of string
	}{
		{"sources by name", packed(t, upload{"b.cpp", "two"}, upload{"a.cpp", half}, upload{"c.txt", "no"}), half + "\ntwo\n", "cpp"},
		{"none", packed(t, upload{"c.txt", "no"}), "", ""},
		{"no archive", []byte("PK"), "", ""},
		{"more than is compared", packed(t, upload{"a.py", strings.Repeat("x", mostSource+5)}, upload{"b.py", "x"}), strings.Repeat("x", mostSource+1) + "\n", "python"},
	} {
		if text, of := q.unpacked(tt.data, ""); string(text) != tt.text || of != tt.of {
			t.Errorf("%s: %d bytes in %q, want %d in %q", tt.why, len(text), of, len(tt.text), tt.of)
		}
	}
}

// TestSegments splits sources by the parts that they share, which may overlap in a line.
func TestSegments(t *testing.T) {
	t.Parallel()
	parts := []likeness.Part{{A: [2]int{2, 3}}, {A: [2]int{3, 4}}, {A: [2]int{9, 12}}}
	got := segments("1\n2\n3\n4\n5\n", parts, func(p likeness.Part) [2]int { return p.A })
	want := []segment{{0, true, 1, 1, "1\n"}, {1, true, 2, 3, "2\n3\n"}, {2, true, 4, 4, "4\n"}, {0, false, 5, 5, "5"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// stocked is a service with a submission of each of many participants.
type stocked struct {
	Service
	text map[string]string
}

func (s *stocked) Get(id string) (ledger.Submission, error) {
	return ledger.Submission{ID: id, Name: "a.cpp"}, nil
}

func (s *stocked) Source(_ context.Context, id string) (*ledger.Submitted, []byte, error) {
	if _, ok := s.text[id]; !ok {
		return nil, nil, service.ErrUnknown
	}
	return nil, []byte(s.text[id]), nil
}

// BenchmarkLikeness compares what 500 participants handed in: programs of some 150 lines, of which 1 in 25 is a copy.
func BenchmarkLikeness(b *testing.B) {
	s := &stocked{text: map[string]string{}}
	var ids []string
	for i := range uint64(500) {
		id := fmt.Sprintf("%03d", i)
		ids, s.text[id] = append(ids, id), program("AC", i-i%25/24, 150, "w"+id)
	}
	q := &request{Pages: New(Options{Service: s, LanguagesOf: languagesOf})}
	for b.Loop() {
		a, err := q.compare(b.Context(), ids)
		if err != nil || len(a.pairs) != 20 {
			b.Fatalf("%d pairs, %v", len(a.pairs), err)
		}
	}
}

// TestLongLikeness gives a comparison up that takes too long.
func TestLongLikeness(t *testing.T) {
	t.Parallel()
	s := &stocked{text: map[string]string{"1": program("AC", 1, 300, "x"), "2": program("AC", 2, 30, "x")}}
	q := &request{Pages: New(Options{Service: s, LanguagesOf: languagesOf})}
	ctx, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	if a, err := q.compare(ctx, []string{"1", "2", "gone"}); err != context.DeadlineExceeded {
		t.Errorf("%+v, %v", a, err)
	}
}

func packed(t *testing.T, files ...upload) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		if err == nil {
			_, err = w.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
