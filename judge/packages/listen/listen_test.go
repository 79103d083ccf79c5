package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sum = `{"name":"A. Sum it","group":"Site - Round 1","url":"https://example.org/a?x=1&y=2","interactive":false,"memoryLimit":256,"timeLimit":1500,
	"tests":[{"input":"1 2\n","output":"3"},{"input":"4 5\r\n","output":"9\r\n"}],"testType":"single","input":{"type":"stdin"},"output":{"type":"stdout"},
	"languages":{"java":{"mainClass":"Main"}},"batch":{"id":"one","size":1}}`

// post is a request for a server at port 10043.
func post(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://localhost:10043/", strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	return r
}

// tree returns the files below a folder with their text.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(file)
		files[strings.TrimPrefix(file, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var saved []Saved
	s := &Server{Dir: dir, Port: 10043, Done: func(s Saved) { saved = append(saved, s) }}
	for range 2 { // the second is already there
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, post(sum)); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	other := strings.Replace(sum, `"output":"3"`, `"output":"4"`, 1)
	s.ServeHTTP(httptest.NewRecorder(), post(other))
	want := map[string]string{
		"a-sum-it/problem.yaml":            "problem_format_version: 2025-09\nname: \"A. Sum it\"\nsource: {name: \"Site - Round 1\", url: \"https://example.org/a?x=1\\u0026y=2\"}\nlimits: {time_limit: 1.5, memory: 256}\n",
		"a-sum-it/statement/problem.en.md": "See <https://example.org/a?x=1&y=2>.\n",
		"a-sum-it/data/sample/1.in":        "1 2\n", "a-sum-it/data/sample/1.ans": "3\n",
		"a-sum-it/data/sample/2.in": "4 5\n", "a-sum-it/data/sample/2.ans": "9\n",
	}
	for name, text := range maps.Clone(want) {
		want[strings.Replace(name, "a-sum-it", "a-sum-it-2", 1)] = strings.ReplaceAll(text, "3\n", "4\n")
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(- want, + got)\n%s", diff)
	}
	if len(saved) != 3 || saved[0].Again || !saved[1].Again || saved[2].Again || filepath.Base(saved[2].Folder) != "a-sum-it-2" {
		t.Errorf("%+v", saved)
	}
}

// TestRefuses checks that a request that is not from an extension here, or is no problem, is refused
// and writes nothing.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		change func(r *http.Request)
		body   string
		status int
	}{
		{"another machine", func(r *http.Request) { r.RemoteAddr = "192.0.2.1:5000" }, sum, 403},
		{"no address", func(r *http.Request) { r.RemoteAddr = "" }, sum, 403},
		{"a name that points here: DNS rebinding", func(r *http.Request) { r.Host = "evil.example:10043" }, sum, 403},
		{"a name that begins like ours", func(r *http.Request) { r.Host = "localhost.evil.example:10043" }, sum, 403},
		{"another port", func(r *http.Request) { r.Host = "localhost:80" }, sum, 403},
		{"no port", func(r *http.Request) { r.Host = "localhost" }, sum, 403},
		{"no host", func(r *http.Request) { r.Host = "" }, sum, 403},
		{"a web page", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, sum, 403},
		{"a page on this machine", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:10043") }, sum, 403},
		{"a page without an origin of its own", func(r *http.Request) { r.Header.Set("Origin", "null") }, sum, 403},
		{"two origins", func(r *http.Request) {
			r.Header.Add("Origin", "chrome-extension://abc")
			r.Header.Add("Origin", "https://evil.example")
		}, sum, 403},
		{"a form of a page, which needs no permission", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, sum, 415},
		{"no type", func(r *http.Request) { r.Header.Del("Content-Type") }, sum, 415},
		{"reading", func(r *http.Request) { r.Method = http.MethodGet }, "", 405},
		{"asking for permission", func(r *http.Request) { r.Method = http.MethodOptions }, "", 405},
		{"another path", func(r *http.Request) { r.URL.Path = "/../x" }, sum, 404},
		{"nothing", nil, "", 400},
		{"no JSON", nil, "name=x", 400},
		{"a list", nil, "[]", 400},
		{"two documents", nil, sum + sum, 400},
		{"a number for a text", nil, strings.Replace(sum, `"A. Sum it"`, "7", 1), 400},
		{"a huge number", nil, strings.Replace(sum, "1500", "1e999", 1), 400},
		{"deep nesting", nil, `{"x":` + strings.Repeat("[", 100_000), 400},
		{"too large", nil, `{"name":"` + strings.Repeat("x", maxBody) + `"}`, 413},
		{"interactive", nil, strings.Replace(sum, `"interactive":false`, `"interactive":true`, 1), 422},
		{"no samples", nil, `{"name":"x","tests":[]}`, 422},
		{"too many samples", nil, `{"name":"x","tests":[` + strings.TrimSuffix(strings.Repeat("{},", maxTests+1), ",") + `]}`, 422},
	} {
		dir := t.TempDir()
		failed := 0
		s := &Server{Dir: dir, Port: 10043, Done: func(Saved) { t.Errorf("%s: was saved", tt.why) }, Fail: func(error) { failed++ }}
		r := post(tt.body)
		if tt.change != nil {
			tt.change(r)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if answer := w.Body.String(); w.Code != tt.status || strings.Count(answer, "\n") != 1 || len(answer) > 500 || failed != 1 {
			t.Errorf("%s: %d %s, %d failures", tt.why, w.Code, answer, failed)
		}
		if files := tree(t, dir); len(files) > 0 {
			t.Errorf("%s: wrote %v", tt.why, files)
		}
	}
	for _, origin := range []string{"chrome-extension://abc", "moz-extension://abc", "safari-web-extension://abc"} {
		r := post(sum)
		r.Header.Set("Origin", origin)
		r.Host = "127.0.0.1:10043"
		w := httptest.NewRecorder()
		if (&Server{Dir: t.TempDir(), Port: 10043}).ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", origin, w.Code, w.Body)
		}
	}
}

// TestNames checks that hostile names stay in the folder, and replace nothing.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, want string }{
		{"../../etc/passwd", "etc-passwd"},
		{"/", "problem"},
		{"..", "problem"},
		{"Zadání: Ř", "zad-n"},
		{"文字", "problem"},
		{"a\x00b\nc", "a-b-c"},
		{"-rf *", "rf"},
		{"CON.txt", "con-txt"},
		{strings.Repeat("long ", 50), strings.TrimSuffix(strings.Repeat("long-", 12), "-")},
		{"", "problem"},
	} {
		dir := t.TempDir()
		if err := os.Symlink(t.TempDir(), filepath.Join(dir, tt.want)); err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`{"name":%s,"url":"javascript:alert(1)","tests":[{"input":"","output":"x"}]}`, quoted(tt.name))
		w := httptest.NewRecorder()
		if (&Server{Dir: dir, Port: 10043}).ServeHTTP(w, post(body)); w.Code != http.StatusOK {
			t.Errorf("%q: %d %s", tt.name, w.Code, w.Body)
		}
		files := tree(t, dir)
		text, found := files[tt.want+"-2/problem.yaml"]
		if !found || strings.Contains(text, "javascript") || strings.Count(text, "\n") != 3 {
			t.Errorf("%q: %q", tt.name, files)
		}
	}
}

// TestBatch checks that the last problem of a contest is recognised, also if some are refused.
func TestBatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		size    int
		refused string // numbers of the problems that are interactive
		want    int    // problems after which the batch was complete; 0 for none of them
	}{
		{"a contest", 3, "", 3},
		{"one in the middle is refused", 3, "1", 3},
		{"the last one is refused", 3, "2", 3},
		{"all are refused: there may be another contest", 3, "012", 0},
		{"a single problem", 1, "", 1},
		{"a single problem that is refused", 1, "0", 0},
	} {
		posted, last := 0, 0
		s := &Server{Dir: t.TempDir(), Port: 10043, Last: func() { last = posted }}
		for i := range tt.size {
			body := strings.Replace(strings.Replace(sum, "Sum it", fmt.Sprint("Sum ", i), 1), `"size":1`, fmt.Sprintf(`"size":%d`, tt.size), 1)
			if strings.Contains(tt.refused, fmt.Sprint(i)) {
				body = strings.Replace(body, `"interactive":false`, `"interactive":true`, 1)
			}
			posted++
			s.ServeHTTP(httptest.NewRecorder(), post(body))
		}
		if last != tt.want {
			t.Errorf("%s: ended after %d, want %d", tt.why, last, tt.want)
		}
	}
}

// TestNotes checks what a package cannot say, and that it always has a time limit.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, old, new, limits, note string }{
		{"all is posted", "", "", "{time_limit: 1.5, memory: 256}", ""},
		{"no time limit", "1500", "0", "{time_limit: 10, memory: 256}", "no time limit was posted: here it is 10 s"},
		{"a time limit that is none", "1500", "-3", "{time_limit: 10, memory: 256}", "no time limit was posted: here it is 10 s"},
		{"no memory limit", "256", "null", "{time_limit: 1.5}", ""},
		{"a file", `{"type":"stdin"}`, `{"type":"file","fileName":"a.in"}`, "{time_limit: 1.5, memory: 256}", `a submission there reads the file "a.in", here from standard input`},
		{"any file", `{"type":"stdin"}`, `{"type":"regex","pattern":"a.*[.]in"}`, "{time_limit: 1.5, memory: 256}", `a submission there reads a file whose name matches "a.*[.]in", here from standard input`},
	} {
		dir, notes := t.TempDir(), ""
		s := &Server{Dir: dir, Port: 10043, Done: func(s Saved) { notes = strings.Join(s.Notes, "\n") }}
		s.ServeHTTP(httptest.NewRecorder(), post(strings.Replace(sum, tt.old, tt.new, 1)))
		text := tree(t, dir)["a-sum-it/problem.yaml"]
		if !strings.HasSuffix(text, "\nlimits: "+tt.limits+"\n") || notes != tt.note {
			t.Errorf("%s: %s, notes %q", tt.why, text, notes)
		}
	}
}

// TestFull checks that a folder that cannot be written gives an error and no part of a package.
func TestFull(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	w := httptest.NewRecorder()
	if (&Server{Dir: dir, Port: 10043}).ServeHTTP(w, post(sum)); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "gone: no such file") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestSource checks that a package gets the source of the template, and never loses one.
func TestSource(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		files    map[string]string // below the working folder; those of the problems are in contest
		language string
		want     string // name and text of the source, or the error
	}{
		{"nothing there, not even the folder", nil, "python3", "sol.py import sys"},
		{"the built-in one of C++", nil, "cpp", "sol.cpp #include"},
		{"a language without one", nil, "rust", `"rust" has no built-in template (hint: write contest/template.EXTENSION, or `},
		{"the user's own", map[string]string{"template.rs": "fn main() {}"}, "cpp", "sol.rs fn main() {}"},
		{"that of the contest comes first", map[string]string{"template.rs": "x", "contest/template.d": "void main() {}"}, "cpp", "sol.d void main() {}"},
		{"an empty one", map[string]string{"template.py": ""}, "cpp", "sol.py "},
		{"a folder of that name", map[string]string{"template.d/x": ""}, "cpp", "sol.cpp #include"},
		{"several", map[string]string{"template.rs": "", "template.py": ""}, "cpp", ".: has several templates: template.py, template.rs (hint: leave one)"},
	} {
		dir := t.TempDir()
		for name, text := range tt.files {
			file := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Template(tt.language, filepath.Join(dir, "contest"), dir)
		got := s.Name + " " + string(s.Text)
		if err != nil {
			got = strings.ReplaceAll(strings.ReplaceAll(err.Error(), dir+"/", ""), dir, ".")
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}

	dir := t.TempDir()
	var saved []Saved
	text := "first"
	s := &Server{Dir: dir, Port: 10043, Done: func(s Saved) { saved = append(saved, s) }, Source: func() (Source, error) { return Source{"sol.c", []byte(text)}, nil }}
	file := filepath.Join(dir, "a-sum-it", "sol.c")
	for _, want := range []string{"first", "changed", "third"} { // the same problem comes again
		if w := httptest.NewRecorder(); want != "third" {
			s.ServeHTTP(w, post(sum))
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		} else if s.ServeHTTP(w, post(sum)); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if got := tree(t, dir)["a-sum-it/sol.c"]; got != want {
			t.Errorf("the source is %q, want %q", got, want)
		}
		text = "third"
		if err := os.WriteFile(file, []byte("changed"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(saved) != 3 || saved[0].Source != file || !saved[2].Again {
		t.Errorf("%+v", saved)
	}
	target := filepath.Join(t.TempDir(), "outside") // a link that leads out is not followed
	if err := errors.Join(os.Remove(file), os.Symlink(target, file)); err != nil {
		t.Fatal(err)
	}
	s.ServeHTTP(httptest.NewRecorder(), post(sum))
	if _, err := os.Lstat(target); err == nil {
		t.Error("writes through a link")
	}
}
