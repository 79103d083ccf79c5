package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRoles asks for every route in every role. Who may pass is in a file, so that every change of it
// is seen.
func TestRoles(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: nobody{}, Tokens: everybody, Languages: languages})
	roles := append(slices.Sorted(maps.Keys(everybody)), "", "wrong")
	var table strings.Builder
	for _, row := range w.routes() {
		var may []string
		for _, role := range roles {
			r := httptest.NewRequestWithContext(t.Context(), row.method, strings.NewReplacer("{", "", "}", "").Replace(row.path), http.NoBody)
			r.Header.Set("Last-Event-ID", "x") // a stream does not begin
			if role != "" {
				r.Header.Set("Authorization", "Bearer "+role)
			}
			rec := httptest.NewRecorder()
			w.ServeHTTP(rec, r)
			switch {
			case rec.Code == http.StatusUnauthorized && (role == "" || role == "wrong"):
				if rec.Header().Get("WWW-Authenticate") == "" {
					t.Errorf("%s without a token: no WWW-Authenticate", row.pattern())
				}
			case rec.Code == http.StatusForbidden && role != "" && role != "wrong":
			case rec.Code == http.StatusForbidden || rec.Code == http.StatusUnauthorized:
				t.Errorf("%s as %q: %d", row.pattern(), role, rec.Code)
			case role == "wrong" && len(row.scopes) > 0:
				t.Errorf("%s with a wrong token: %d", row.pattern(), rec.Code)
			case role == "":
				may = append(may, "everybody")
			case role != "wrong":
				may = append(may, role)
			}
		}
		if slices.Contains(may, "everybody") {
			may = []string{"everybody"}
		}
		fmt.Fprintf(&table, "%-6s %-32s %s\n", row.method, row.path, strings.Join(may, " "))
	}
	golden(t, filepath.Join("testdata", "roles.txt"), []byte(table.String()))
}

// TestRows checks what every route must have.
func TestRows(t *testing.T) {
	t.Parallel()
	w := described()
	seen := map[string]bool{}
	for _, row := range w.routes() {
		if seen[row.id] || seen[row.pattern()] || row.id == "" || row.summary == "" || row.tag == "" {
			t.Errorf("%s: an id and a pattern are unique, and there is a summary and a tag: %+v", row.pattern(), row)
		}
		seen[row.id], seen[row.pattern()] = true, true
		changes := row.method != http.MethodGet
		if changes && len(row.scopes) == 0 {
			t.Errorf("%s changes something, and everybody may", row.pattern())
		}
		if body := row.method == http.MethodPost || row.method == http.MethodPut; body != (row.body > 0) {
			t.Errorf("%s: %d bytes of body", row.pattern(), row.body)
		}
		if row.time == 0 && row.id != "watchJudging" && row.id != "watchAll" && row.id != "createBatch" {
			t.Errorf("%s has no bound of time", row.pattern())
		}
		if row.free && len(row.scopes) == 0 && row.id != "getHealth" && row.id != "getReady" {
			t.Errorf("%s can be asked for without end", row.pattern())
		}
	}
}

// TestRoutesAreDocumented checks that docs/api.md has every route with its scopes.
func TestRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, row := range described().routes() {
		names := []string{}
		for _, s := range row.scopes {
			names = append(names, string(s))
		}
		if len(names) == 0 {
			names = []string{"everybody"}
		}
		want = append(want, fmt.Sprintf("| `%s %s` | %s |", row.method, row.path, strings.Join(names, ", ")))
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") && strings.Contains(line, " /") && !strings.Contains(line, "wait=") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-routes +docs/api.md\n%s", diff)
	}
}
