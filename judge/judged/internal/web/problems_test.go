package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestProblems uploads packages, good and bad.
func TestProblems(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) { o.Bounds.Package = 10_000 })
	good := string(pack(t, map[string]string{"problem.yaml": "x"}))
	for _, tt := range []struct {
		why, token, query, body string
		status                  int
		want                    string
	}{
		{"new", "author", "?id=maze&title=A+maze&wait=60s", good, 201, `"status":"usable","cases":2`},
		{"the same again", "author", "?id=maze", good, 200, `"status":"usable"`},
		{"unusable", "author", "?id=ruin&wait=60s", string(pack(t, map[string]string{"a": "unusable"})), 201, `"status":"unusable","findings":["no test cases"]`},
		{"without an id", "author", "", good, 422, "query.id"},
		{"a bad id", "author", "?id=A", good, 422, "lower-case"},
		{"an id with a dot", "author", "?id=a.b", good, 422, "lower-case"},
		{"the id of tests", "author", "?id=inline", good, 422, "reserved"},
		{"no archive", "author", "?id=maze", "x", 422, "not a zip archive"},
		{"nothing", "author", "?id=maze", "", 400, "body is required"},
		{"half an archive", "author", "?id=maze", good[:len(good)/2], 422, "not a zip archive"},
		{"a large one", "author", "?id=maze", strings.Repeat("x", 10_001), 413, "more than 10000B"},
	} {
		r := w.do(tt.token, "POST", "/v1/problems"+tt.query, tt.body, "Content-Type", "application/zip")
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	var list ProblemList
	w.do("author", "GET", "/v1/problems", nil).decode(t, 200, &list)
	if len(list.Problems) != 2 || list.Problems[0].ID != "maze" || list.Problems[0].Newest == "" || list.Problems[1].Newest != "" {
		t.Errorf("%+v", list)
	}
	var p ProblemInfo
	if w.do("ann", "GET", "/v1/problems/maze", nil).decode(t, http.StatusOK, &p); p.Title != "A problem" || len(p.Versions) != 1 || p.Versions[0].By != "author" {
		t.Errorf("%+v", p)
	}
}
