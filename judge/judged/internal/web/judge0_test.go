package web

import (
	"archive/zip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

const urlencoded = "application/x-www-form-urlencoded"

// created hands in a program as a client of Judge0, waits for its end, and returns its token.
func (w *world) created(who, body string) string {
	w.t.Helper()
	var made struct{ Token string }
	w.do(who, "POST", "/submissions?wait=true", body).decode(w.t, 201, &made)
	return made.Token
}

// TestJudge0Facts asks for what clients of Judge0 ask before they hand in.
func TestJudge0Facts(t *testing.T) {
	t.Parallel()
	w := start(t, nil, func(o *Options) { o.Queue = 1234 })
	w.post(service.Worker{Host: task.Host{Worker: "a", Slots: 3}, Languages: []string{"c", "python3"}})
	for _, tt := range []struct {
		why, who, method, path string
		status                 int
		want                   string
	}{
		{"the version that the SDK looks for", "", "GET", "/about", 200, `"version":"1.14.0"}`},
		{"a language", "", "GET", "/languages/113", 200, `{"id":113,"name":"Python (3)","is_archived":false,"source_file":"solution.py"}`},
		{"a language that no worker has", "", "GET", "/languages/62", 404, `{"error":"language not found"}`},
		{"no number", "", "GET", "/languages/x", 404, `{"error":"language not found"}`},
		{"a number beyond all bounds", "", "GET", "/languages/99999999999999999999", 404, `{"error":"language not found"}`},
		{"all languages", "", "GET", "/languages/all", 200, `[{"id":4,"name":"C (GCC)","is_archived":true}`},
		{"a valid token", "ann", "POST", "/authenticate", 200, ``},
		{"another", "nobody", "POST", "/authenticate", 401, ``},
		{"no token", "", "POST", "/authenticate", 401, ``},
		{"an administrator", "admin", "POST", "/authorize", 200, ``},
		{"no administrator", "ann", "POST", "/authorize", 403, ``},
		{"what is not there", "", "GET", "/statistics", 404, ``},
		{"workers are not there", "reader", "GET", "/workers", 404, ``},
		{"what is not there either", "", "GET", "/system_info", 404, ``},
	} {
		if r := w.do(tt.who, tt.method, tt.path, nil); r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	var config map[string]any
	w.do("", "GET", "/config_info", nil).decode(t, 200, &config)
	for key, want := range map[string]any{"max_queue_size": 1234., "max_cpu_time_limit": 30., "max_memory_limit": 2097152., "max_submission_batch_size": 20., "enable_callbacks": false, "enable_compiler_options": true, "enable_additional_files": true} {
		if config[key] != want {
			t.Errorf("/config_info: %s is %v, want %v", key, config[key], want)
		}
	}
	missing := slices.DeleteFunc(strings.Fields(sdkConfig), func(key string) bool { return config[key] != nil })
	if len(missing) > 0 {
		t.Errorf("/config_info lacks what the SDK needs: %v", missing)
	}
}

// sdkConfig are the settings without which the official SDK for Python, at de67582, cannot be constructed.
const sdkConfig = `allow_enable_network allow_enable_per_process_and_thread_memory_limit allow_enable_per_process_and_thread_time_limit
	allowed_languages_for_compile_options callbacks_max_tries callbacks_timeout cpu_extra_time cpu_time_limit enable_additional_files enable_batched_submissions
	enable_callbacks enable_command_line_arguments enable_compiler_options enable_network enable_per_process_and_thread_memory_limit
	enable_per_process_and_thread_time_limit enable_submission_delete enable_wait_result maintenance_mode max_cpu_extra_time max_cpu_time_limit max_extract_size
	max_file_size max_max_file_size max_max_processes_and_or_threads max_memory_limit max_number_of_runs max_processes_and_or_threads max_queue_size
	max_stack_limit max_submission_batch_size max_wall_time_limit memory_limit number_of_runs redirect_stderr_to_stdout stack_limit submission_cache_duration
	use_docs_as_homepage wall_time_limit`

// plain makes a request to a path that the document does not have.
func (w *world) plain(method, path, body string, headers ...string) (status int, header http.Header, text string) {
	w.t.Helper()
	resp, err := w.ask(w.t.Context(), "", method, path, body, headers...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(all)
}

// TestJudge0Extra asks for the other flavor, whose numbers mean other languages.
func TestJudge0Extra(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	for _, tt := range []struct {
		why, method, path, body string
		status                  int
		want                    string
	}{
		{"the version", "GET", "/extra/about", "", 200, `"version":"1.14.0-extra"`},
		{"the languages", "GET", "/extra/languages", "", 200, `[{"id":4,"name":"Java (OpenJDK)"},{"id":10,"name":"Python (3)"},{"id":25,"name":"Python (3)"},{"id":33,"name":"Python (3)"}]`},
		{"a program", "POST", "/extra/submissions?wait=true&fields=stdout,language_id", `{"source_code":"x","stdin":"1","language_id":10}`, 201, `{"language_id":33,"stdout":"1"}`},
		{"a slash at the end", "GET", "/extra/languages/", "", 200, `[{"id":4`},
		{"a number of the first flavor", "POST", "/extra/submissions", `{"source_code":"x","language_id":71}`, 422, `language with id 71 doesn't exist`},
		{"nothing", "GET", "/extra", "", 404, `no such path`},
		{"another path", "GET", "/extra/v1/languages", "", 404, `no such path`},
		{"twice", "GET", "/extra/extra/languages", "", 404, `no such path`},
	} {
		if status, _, text := w.plain(tt.method, tt.path, tt.body, "X-Auth-Token", "ann"); status != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %d %s, want %d %s", tt.why, status, text, tt.status, tt.want)
		}
	}
}

// TestJudge0Forms hands in programs as forms.
func TestJudge0Forms(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	for _, tt := range []struct {
		why, kind, body string
		status          int
		want            string
	}{
		{"a form", urlencoded, "source_code=int+main%28%29&language_id=50&stdin=a%26b&expected_output=a%26b&enable_network=false&cpu_time_limit=", 201, `{"status_id":3,"stdin":"a&b"}`},
		{"with the set of characters", urlencoded + "; charset=utf-8", "source_code=x&language_id=50", 201, `{"status_id":3,"stdin":""}`},
		{"an empty output is compared", urlencoded, "source_code=x&language_id=50&stdin=a&expected_output=", 201, `{"status_id":4,"stdin":"a"}`},
		{"JSON that a client calls a form", urlencoded, `{"source_code":"x","language_id":50}`, 201, `{"status_id":3,"stdin":""}`},
		{"JSON without a type", "", `{"source_code":"x","language_id":50}`, 201, `{"status_id":3,"stdin":""}`},
		{"nothing", urlencoded, "", 422, `{"language_id":["can't be blank"],"source_code":["can't be blank"]}`},
		{"a field twice", urlencoded, "source_code=x&source_code=y&language_id=50", 422, `"location":"body.source_code","message":"the key is there twice"`},
		{"an escape that is none", urlencoded, "source_code=%zz&language_id=50", 400, `{"error":"invalid URL escape`},
		{"no UTF-8", urlencoded, "source_code=%ff&language_id=50", 400, `a text is not UTF-8`},
		{"no number", urlencoded, "source_code=x&language_id=c", 400, `is not a number`},
		{"neither true nor false", urlencoded, "source_code=x&language_id=50&enable_network=maybe", 400, `is neither true nor false`},
		{"another kind of form", "multipart/form-data; boundary=x", "--x--", 400, `{"error":"invalid character`},
	} {
		r := w.do("ann", "POST", "/submissions?wait=true&fields=status_id,stdin", tt.body, "Content-Type", tt.kind)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
}

// TestJudge0Files hands in programs with additional files, among them hostile archives.
func TestJudge0Files(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) {
		o.Bounds.Source, o.Languages = 600_000, append(slices.Clone(languages), Language{ID: "bash", Extensions: []string{".sh"}})
	})
	files := func(list map[string]string) string { return base64.StdEncoding.EncodeToString(pack(t, list)) }
	many := map[string]string{}
	for i := range 2001 {
		many[fmt.Sprint(i)] = ""
	}
	for _, tt := range []struct {
		why, files string
		status     int
		want       string
	}{
		{"a file", files(map[string]string{"a/data.txt": "hello"}), 201, `{"source_code":"print(1)"}`},
		{"none", "", 201, `{"source_code":"print(1)"}`},
		{"no base64", "?", 422, `{"additional_files":["is not valid Base64"]}`},
		{"no archive", "eHh4", 422, `not a zip archive`},
		{"an empty one", files(nil), 422, `the archive is empty`},
		{"the source again", files(map[string]string{"main.py": "x"}), 422, `main.py is the name of the source`},
		{"out of the folder", files(map[string]string{"../x": "x"}), 422, `leads out of it`},
		{"an absolute path", files(map[string]string{"/etc/x": "x"}), 422, `leads out of it`},
		{"too many files", files(many), 422, `an archive has at most 2000 files`},
		{"2000 and the source", files(func() map[string]string { m := maps.Clone(many); delete(m, "0"); return m }()), 422, `an archive has at most 2000 files`},
		{"a bomb", base64.StdEncoding.EncodeToString(packed(t, &zip.FileHeader{Name: "zeros", Comment: strings.Repeat("\x00", 65<<20), Method: zip.Deflate})), 422, `the files of the archive have more than 64MiB`},
		{"too large", files(map[string]string{"a": noise(700_000)}), 422, `a source has at most`},
	} {
		body, err := json.Marshal(map[string]any{"source_code": "print(1)", "language_id": 71, "stdin": "1", "additional_files": tt.files})
		if err != nil {
			t.Fatal(err)
		}
		if r := w.do("ann", "POST", "/submissions?wait=true&fields=source_code", string(body)); r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %.300s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	for _, tt := range []struct {
		why, files string
		status     int
		want       string
	}{
		{"scripts of its own", files(map[string]string{"run": "cat"}), 201, `{"compiler_options":null,"language_id":89,"source_code":null}`},
		{"without files", "", 422, `{"additional_files":["can't be blank"]}`},
		{"scripts that are no archive", "eHh4", 422, `not a zip archive`},
		{"scripts out of the folder", files(map[string]string{"../run": "x"}), 422, `leads out of it`},
	} {
		body := `{"source_code":"","language_id":89,"additional_files":"` + tt.files + `"}`
		if r := w.do("ann", "POST", "/submissions?wait=true&fields=source_code,language_id,compiler_options", body); r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %.300s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	r := w.do("ann", "POST", "/submissions?wait=true&fields=compiler_options", `{"source_code":"x","language_id":50,"compiler_options":"-O3"}`)
	if r.StatusCode != 201 || !strings.Contains(r.text, `{"compiler_options":"-O3"}`) {
		t.Errorf("an option of the compiler: %s %s", r.Status, r.text)
	}
	if n := w.web.budget.held(); n != 0 {
		t.Errorf("%d bytes are still counted", n)
	}
}

// noise returns a text that cannot be compressed well.
func noise(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		b.Write(sum[:])
	}
	return b.String()
}

// TestJudge0List lists submissions page by page, and erases some.
func TestJudge0List(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	w.judged("ann", program("AC")) // is none of Judge0's
	var tokens []string
	for i := range 5 {
		tokens = append(tokens, w.created("ann", fmt.Sprintf(`{"source_code":"x","language_id":50,"stdin":"%d"}`, i)))
	}
	foreign := w.created("bob", `{"source_code":"x","language_id":50}`)
	ask := func(who, method, path string, status int, want string) {
		t.Helper()
		if r := w.do(who, method, path, nil); r.StatusCode != status || !strings.Contains(r.text, want) {
			t.Errorf("%s %s as %s: %s %s, want %d %s", method, path, who, r.Status, r.text, status, want)
		}
	}
	const fields = "&fields=stdin"
	ask("ann", "GET", "/submissions?page=1&per_page=2"+fields, 200, `{"meta":{"current_page":1,"next_page":2,"prev_page":null,"total_count":5,"total_pages":3},"submissions":[{"stdin":"4"},{"stdin":"3"}]}`)
	ask("ann", "GET", "/submissions?page=3&per_page=2"+fields, 200, `{"meta":{"current_page":3,"next_page":null,"prev_page":2,"total_count":5,"total_pages":3},"submissions":[{"stdin":"0"}]}`)
	ask("ann", "GET", "/submissions?page=4&per_page=2", 200, `"submissions":[]}`)
	ask("reader", "GET", "/submissions", 200, `"total_count":6`)
	ask("author", "GET", "/submissions", 403, ``)
	for _, bad := range []string{"page=0", "page=-1", "page=x", "page=9999999999", "per_page=101", "per_page=0"} {
		name, value, _ := strings.Cut(bad, "=")
		ask("ann", "GET", "/submissions?"+bad, 400, fmt.Sprintf(`{"error":"invalid %s: %s"}`, name, value))
	}
	ask("ann", "GET", "/submissions?fields=x", 400, `{"error":"invalid fields: [x]"}`)

	ask("bob", "DELETE", "/submissions/"+tokens[0], 404, `{"error":"submission not found"}`)
	ask("reader", "DELETE", "/submissions/"+tokens[0], 403, ``)
	ask("clerk", "DELETE", "/submissions/"+tokens[0], 404, `{"error":"submission not found"}`) // who only reads it
	ask("ann", "DELETE", "/submissions/"+tokens[0]+"?fields=stdin,status_id", 200, `{"status_id":3,"stdin":"MA==\n"}`)
	ask("ann", "DELETE", "/submissions/"+tokens[0], 404, `{"error":"submission not found"}`)
	ask("ann", "GET", "/submissions/"+tokens[0], 404, `{"error":"submission not found"}`)
	ask("ann", "GET", "/submissions?per_page=1", 200, `"total_count":4`)
	ask("bob", "GET", "/submissions?per_page=1", 200, `"total_count":1`)
	ask("bob", "GET", "/submissions/"+foreign, 200, ``)
	judged := w.judged("ann", program("AC")).ID
	ask("ann", "DELETE", "/submissions/"+judged, 404, `{"error":"submission not found"}`) // a judging stays
	ask("ann", "GET", "/v1/judgings/"+judged, 200, ``)
}

// TestJudge0DeleteWaiting erases no submission that waits.
func TestJudge0DeleteWaiting(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	var made struct{ Token string }
	w.do("ann", "POST", "/submissions", `{"source_code":"x","language_id":50}`).decode(t, 201, &made)
	if r := w.do("ann", "DELETE", "/submissions/"+made.Token, nil); r.StatusCode != 400 || !strings.Contains(r.text, `cannot be deleted because its status is 1 (In Queue)`) {
		t.Errorf("%s %s", r.Status, r.text)
	}
}

// TestCrossOrigin asks as scripts of web pages do.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	const ide = "https://ide.example.org"
	listed, anyone, none := start(t, judge, func(o *Options) { o.Origins = []string{ide} }), start(t, judge, func(o *Options) { o.Origins = []string{"*"} }), start(t, judge)
	for _, tt := range []struct {
		why                  string
		w                    *world
		method, path, origin string
		status               int
		allowed              string
	}{
		{"a listed page asks before", listed, "OPTIONS", "/submissions", ide, 204, ide},
		{"and asks", listed, "GET", "/languages", ide, 200, ide},
		{"in the other flavor", listed, "OPTIONS", "/extra/submissions", ide, 204, ide},
		{"our own API", listed, "OPTIONS", "/v1/run", ide, 204, ide},
		{"a refusal can be read too", listed, "GET", "/v1/judgings", ide, 401, ide},
		{"another page", listed, "OPTIONS", "/submissions", "https://evil.example.org", 405, ""},
		{"another page asks", listed, "GET", "/languages", "https://evil.example.org", 200, ""},
		{"a longer name", listed, "OPTIONS", "/submissions", ide + ".evil.org", 405, ""},
		{"another scheme", listed, "OPTIONS", "/submissions", "http://ide.example.org", 405, ""},
		{"a page without a name", listed, "OPTIONS", "/submissions", "null", 405, ""},
		{"no page", listed, "GET", "/languages", "", 200, ""},
		{"metrics are for no page", listed, "OPTIONS", "/metrics", ide, 405, ""},
		{"pages for people neither", listed, "OPTIONS", "/sign-in", ide, 404, ""},
		{"any page", anyone, "OPTIONS", "/submissions", "https://x.example", 204, "https://x.example"},
		{"by default no page", none, "OPTIONS", "/submissions", ide, 405, ""},
	} {
		headers := []string{"Access-Control-Request-Method", "POST"}
		if tt.origin != "" {
			headers = append(headers, "Origin", tt.origin)
		}
		status, header, text := tt.w.plain(tt.method, tt.path, "", headers...)
		if status != tt.status || header.Get("Access-Control-Allow-Origin") != tt.allowed || header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %d %v %s, want %d and %q", tt.why, status, header, text, tt.status, tt.allowed)
		}
		if status == 204 && (!strings.Contains(header.Get("Access-Control-Allow-Headers"), "X-Auth-Token") || header.Get("Vary") != "Origin") {
			t.Errorf("%s: %v", tt.why, header)
		}
	}
}

// called is a request that a receiver of callbacks got.
type called struct {
	method, kind, signature string
	body                    []byte
}

// receiver starts a receiver of callbacks that answers with these statuses in turn, and then with 200.
func receiver(t *testing.T, statuses ...int) (*url.URL, <-chan called) {
	t.Helper()
	got := make(chan called, 100)
	turn := make(chan int, len(statuses))
	for _, s := range statuses {
		turn <- s
	}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		status := 200
		select {
		case status = <-turn:
		default:
		}
		rw.Header().Set("Location", "/elsewhere") // of the redirections, which are not followed
		rw.WriteHeader(status)
		got <- called{r.Method, r.Header.Get("Content-Type"), r.Header.Get(SignatureHeader), body}
	}))
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return at, got
}

// TestCallback has the ends of submissions sent, and checks their signatures.
func TestCallback(t *testing.T) {
	t.Parallel()
	at, got := receiver(t, 500, 302)
	key := []byte("0123456789abcdef")
	w := start(t, judge, func(o *Options) { o.Callbacks = &Callbacks{Hosts: []string{at.Host}, Key: key} })
	for i, source := range []string{"x", "CE"} { // the first is tried three times
		token := w.created("ann", fmt.Sprintf(`{"source_code":%q,"language_id":50,"stdin":"%d","callback_url":%q}`, source, i, at.String()+"/done?n=1"))
		tries := 3
		if i > 0 {
			tries = 1
		}
		for range tries {
			c := <-got
			sum := hmac.New(sha256.New, key)
			sum.Write(c.body)
			var body struct {
				Token  string
				Stdout *string
				Status struct{ ID int }
			}
			if err := json.Unmarshal(c.body, &body); err != nil || body.Token != token || c.method != "PUT" || c.kind != jsonType || c.signature != "sha256="+hex.EncodeToString(sum.Sum(nil)) {
				t.Errorf("%s got %s %s %s, signed %s (%v)", token, c.method, c.kind, c.body, c.signature, err)
			}
			if i == 0 && (body.Status.ID != 3 || body.Stdout == nil || *body.Stdout != "MA==\n") || i == 1 && body.Status.ID != 6 {
				t.Errorf("%s: %s", source, c.body)
			}
		}
	}
}

// TestCallbackURLs hands in URLs that may not be called.
func TestCallbackURLs(t *testing.T) {
	t.Parallel()
	none, some := start(t, nil), start(t, nil, func(o *Options) {
		o.Callbacks = &Callbacks{Hosts: []string{"hooks.example.org", "10.0.0.7:8080", "[::1]:99"}, Key: []byte("k")}
	})
	for _, tt := range []struct {
		why, url string
		w        *world
		want     string // "" if it is taken
	}{
		{"nothing is allowed", "https://hooks.example.org/x", none, "setting callback is not allowed (hint: judged serve --callback-host HOST allows a host)"},
		{"no URL", " ", none, ""},
		{"a listed host", "https://hooks.example.org/x?y=z", some, ""},
		{"in capitals", "HTTPS://Hooks.Example.Org/x", some, ""},
		{"with the usual port", "http://hooks.example.org:80/", some, ""},
		{"a listed port", "http://10.0.0.7:8080/", some, ""},
		{"a listed port of IPv6", "http://[::1]:99/", some, ""},
		{"another port", "https://hooks.example.org:8443/x", some, "is not allowed"},
		{"a listed address without its port", "http://10.0.0.7/", some, "is not allowed"},
		{"a host inside a listed one", "https://a.hooks.example.org/", some, "is not allowed"},
		{"a host that begins like a listed one", "https://hooks.example.org.evil.com/", some, "is not allowed"},
		{"a listed host as the user", "https://hooks.example.org@evil.com/", some, "want an http or https URL without a password"},
		{"a password", "https://a:b@hooks.example.org/", some, "want an http or https URL without a password"},
		{"another scheme", "file:///etc/passwd", some, "want an http or https URL"},
		{"yet another", "gopher://hooks.example.org/", some, "want an http or https URL"},
		{"no scheme", "hooks.example.org/x", some, "want an http or https URL"},
		{"a line break", "https://hooks.example.org/\nx", some, "want an http or https URL"},
		{"a long one", "https://hooks.example.org/" + strings.Repeat("x", 2000), some, "a URL has at most 2000 bytes"},
		{"the metadata of a cloud", "http://169.254.169.254/", some, "is not allowed"},
	} {
		r := tt.w.do("ann", "POST", "/submissions", map[string]any{"source_code": "x", "language_id": 50, "callback_url": tt.url})
		var errs map[string][]string
		if json.Unmarshal([]byte(r.text), &errs); tt.want == "" && r.StatusCode != 201 || tt.want != "" && (r.StatusCode != 422 || len(errs["callback_url"]) != 1 || !strings.Contains(errs["callback_url"][0], tt.want)) {
			t.Errorf("%s: %s %s, want %q", tt.why, r.Status, r.text, tt.want)
		}
	}
}

// TestCallbackAddresses checks where a name may lead.
func TestCallbackAddresses(t *testing.T) {
	t.Parallel()
	c := &Callbacks{Hosts: []string{"localhost", "10.0.0.7:8080", "[fd00::7]:443", "192.168.1.1"}}
	for _, tt := range []struct {
		why, address string
		ok           bool
	}{
		{"a public address", "93.184.216.34:443", true},
		{"a public one of IPv6", "[2606:2800:220:1::1]:443", true},
		{"a private one that is listed", "10.0.0.7:8080", true},
		{"a listed one without a port", "192.168.1.1:80", true},
		{"a listed one of IPv6", "[fd00::7]:443", true},
		{"a private one", "10.0.0.8:8080", false},
		{"this machine, of which only the name is listed", "127.0.0.1:80", false},
		{"this machine in IPv6", "[::1]:80", false},
		{"this machine in IPv4 in IPv6", "[::ffff:127.0.0.1]:80", false},
		{"the metadata of a cloud", "169.254.169.254:80", false},
		{"a link", "[fe80::1%eth0]:80", false},
		{"a provider's network", "100.64.0.1:80", false},
		{"nowhere", "0.0.0.0:80", false},
		{"everywhere", "255.255.255.255:80", false},
		{"a group", "224.0.0.1:80", false},
		{"a private address behind a translation", "[64:ff9b::a00:7]:80", false},
		{"no address", "x", false},
	} {
		if err := c.reaches("tcp", tt.address, nil); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
	at, _ := receiver(t)
	named := Callbacks{Hosts: []string{"localhost:" + at.Port()}, Key: []byte("k")}
	resp, err := named.client().Get("http://localhost:" + at.Port())
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is not a public address") {
		t.Errorf("a name that leads to this machine: %v", err)
	}
}

// TestCallbackErased sends nothing of a submission that was erased before it ended.
func TestCallbackErased(t *testing.T) {
	t.Parallel()
	at, got := receiver(t)
	gate := make(chan struct{})
	w := start(t, func(w *world, tk *task.Task) *task.Answer { <-gate; return judge(w, tk) }, func(o *Options) { o.Callbacks = &Callbacks{Hosts: []string{at.Host}, Key: []byte("k")} })
	var made, other struct{ Token string }
	w.do("ann", "POST", "/submissions", fmt.Sprintf(`{"source_code":"x","language_id":50,"callback_url":%q}`, at.String())).decode(t, 201, &made)
	w.do("admin", "DELETE", "/v1/judgings/"+made.Token, nil)
	w.do("ann", "POST", "/submissions", fmt.Sprintf(`{"source_code":"y","language_id":50,"callback_url":%q}`, at.String())).decode(t, 201, &other)
	close(gate)
	if c := <-got; !strings.Contains(string(c.body), other.Token) {
		t.Errorf("got %s", c.body)
	}
	for n := 1; n > 0; { // what is left in the queue would be of the erased one
		var err error
		if n, err = w.store.Results.Len(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) > 0 {
		t.Errorf("also got %s", (<-got).body)
	}
	if _, err := w.service.Get(made.Token); err == nil {
		t.Error(ledger.SubmissionSubject(made.Token), "is still there")
	}
}
