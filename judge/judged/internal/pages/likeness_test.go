package pages

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
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

// alike makes a course d of tea's with two submissions that are alike, and returns the address of one that has a
// drawing, and of both side by side.
func (w *world) alike(tea *browser) (drawn, pair string) {
	w.problem("first")
	w.contest("d", func(c *ledger.Course) {
		c.Scoring, c.Problems = ledger.Points, []ledger.CourseProblem{{Label: "A", Problem: "first", Points: 10, Colour: "#e03131"}, {Label: "B", Problem: "b", Points: 5}}
	})
	for login, text := range map[string]string{"ann": "WA " + alikeAnn, "bob": "AC " + alikeBob, "cy": "AC " + program("", 1, 30, "x"), "dan": "AC {}", "eve": "AC {}"} {
		w.person("d", login, ledger.Participant)
		if id := w.browser(login).submission("d", "first", text); login == "ann" {
			drawn = "/c/d/s/" + id
		}
	}
	w.person("d", "tea", ledger.Teacher)
	w.browser("ann").submission("d", "b", "CE x")
	pair = regexp.MustCompile(`/c/d/likeness/first/[^"]*`).FindString(tea.get("/c/d/likeness").want(w.t.(*testing.T), http.StatusOK).text)
	return drawn, pair
}

// alikeAnn is a program, of which alikeBob is a disguised copy.
const alikeAnn = `// Reads the grid and fills every room.
#include <iostream>
#include <string>
#include <vector>

std::vector<std::string> grid;

int fill(int row, int column) {
    if (row < 0 || column < 0 || row >= (int)grid.size() || column >= (int)grid[row].size()) return 0;
    if (grid[row][column] != '.') return 0;
    grid[row][column] = '#';
    return 1 + fill(row + 1, column) + fill(row - 1, column) + fill(row, column + 1) + fill(row, column - 1);
}

int main() {
    for (std::string line; std::getline(std::cin, line);) grid.push_back(line);
    int rooms = 0, largest = 0;
    for (int row = 0; row < (int)grid.size(); row++) {
        for (int column = 0; column < (int)grid[row].size(); column++) {
            int size = fill(row, column);
            if (size > 0) rooms++;
            if (size > largest) largest = size;
        }
    }
    std::cout << rooms << " " << largest << "\n";
}
`

const alikeBob = `#include <iostream>
#include <string>
#include <vector>
using namespace std;
vector<string> g;
int flood(int y, int x)
{
    // outside
    if (y < 0 || x < 0 || y >= (int)g.size() || x >= (int)g[y].size()) return 0;
    if (g[y][x] != '.') return 0;
    g[y][x] = 'x';
    return 1 + flood(y + 1, x) + flood(y - 1, x) + flood(y, x + 1) + flood(y, x - 1);
}
string greeting() { string s = "hello"; for (auto& c : s) c ^= 1; return s; }
int main()
{
    greeting();
    for (string s; getline(cin, s);) g.push_back(s);
    int n = 0, best = 0;
    for (int y = 0; y < (int)g.size(); y++)
    {
        for (int x = 0; x < (int)g[y].size(); x++)
        {
            int k = flood(y, x);
            if (k > 0) n++;
            if (k > best) best = k;
        }
    }
    cout << n << " " << best << "\n";
}
`
