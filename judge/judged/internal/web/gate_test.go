package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/rate"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
)

// TestOpen checks who needs no token when the service is open: programs on this machine, and no proxies
// and no web pages.
func TestOpen(t *testing.T) {
	t.Parallel()
	open, closed := New(Options{Service: nobody{}, Open: true}), New(Options{Service: nobody{}})
	for _, tt := range []struct {
		why, remote, host string
		header            [2]string
		want              bool
	}{
		{"a program", "127.0.0.1:5", "localhost:8080", [2]string{}, true},
		{"by address", "127.0.0.1:5", "127.0.0.1:8080", [2]string{}, true},
		{"by IPv6", "[::1]:5", "[::1]:8080", [2]string{}, true},
		{"by IPv4 in IPv6", "[::ffff:127.0.0.1]:5", "localhost", [2]string{}, true},
		{"another machine", "10.0.0.2:5", "localhost:8080", [2]string{}, false},
		{"a proxy", "127.0.0.1:5", "localhost:8080", [2]string{"X-Forwarded-For", "10.0.0.2"}, false},
		{"another proxy", "127.0.0.1:5", "localhost:8080", [2]string{"Forwarded", "for=10.0.0.2"}, false},
		{"a page that has a name for this machine", "127.0.0.1:5", "evil.example:8080", [2]string{}, false},
		{"a page that posts here", "127.0.0.1:5", "localhost:8080", [2]string{"Origin", "https://evil.example"}, false},
		{"a page with an opaque origin", "127.0.0.1:5", "localhost:8080", [2]string{"Origin", "null"}, false},
		{"a page that shows a picture from here", "127.0.0.1:5", "localhost:8080", [2]string{"Sec-Fetch-Site", "cross-site"}, false},
		{"somebody who types the address", "127.0.0.1:5", "localhost:8080", [2]string{"Sec-Fetch-Site", "none"}, true},
		{"a socket without an address", "@", "localhost", [2]string{}, false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/judgings", nil)
		r.RemoteAddr, r.Host = tt.remote, tt.host
		if tt.header[0] != "" {
			r.Header.Set(tt.header[0], tt.header[1])
		}
		want := http.StatusUnauthorized
		if tt.want {
			want = http.StatusOK
		}
		var said string
		ask := func(w *Web) int {
			rec := httptest.NewRecorder()
			w.ServeHTTP(rec, r)
			said = rec.Body.String()
			return rec.Code
		}
		if got := ask(open); got != want {
			t.Errorf("%s: %d, want %d", tt.why, got, want)
		}
		if got := ask(closed); got != http.StatusUnauthorized {
			t.Errorf("%s: let into a service that is not open: %d", tt.why, got)
		}
		r.URL.Path = "/v1/tokens"
		if got := ask(open); got != http.StatusForbidden && got != http.StatusUnauthorized {
			t.Errorf("%s: may administer: %d", tt.why, got)
		} else if got == http.StatusForbidden && !strings.Contains(said, "without a token") {
			t.Errorf("%s: nobody sent a token: %s", tt.why, said)
		}
	}
}

// TestTokenOf checks where a token may be.
func TestTokenOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, value, want string }{
		{"Authorization", "Bearer x", "x"},
		{"Authorization", "bearer  x ", "x"},
		{"Authorization", "Basic x", ""},
		{"Authorization", "x", ""},
		{"X-Auth-Token", "x", "x"},
		{"Sec-WebSocket-Protocol", "tribunal, bearer.x", "x"},
		{"Sec-WebSocket-Protocol", "tribunal", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.Header.Set(tt.name, tt.value)
		if got := tokenOf(r); got != tt.want {
			t.Errorf("%s: %s: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

// TestRate checks that an address and a token cannot ask without end, and are told when to come back.
func TestRate(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: nobody{}, Tokens: everybody, PerAddress: rate.New(0.001, 4, 10), PerToken: rate.New(0.001, 2, 10)})
	ask := func(address, token, path string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
		r.RemoteAddr = address
		r.Header.Set("Authorization", "Bearer "+token)
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		return rec
	}
	for i, tt := range []struct {
		address, token, path string
		want                 int
	}{
		{"10.0.0.1:1", "ann", "/v1/judgings", 200},
		{"10.0.0.1:2", "ann", "/v1/judgings", 200},
		{"10.0.0.2:1", "ann", "/v1/judgings", 429}, // the token
		{"10.0.0.2:1", "bob", "/v1/judgings", 200},
		{"10.0.0.1:3", "wrong", "/v1/judgings", 401},
		{"10.0.0.1:4", "wrong", "/v1/judgings", 401},
		{"10.0.0.1:5", "wrong", "/v1/judgings", 429}, // the address
		{"10.0.0.1:5", "", "/v1/version", 429},
		{"10.0.0.1:5", "", "/healthz", 200},
		{"[2001:db8::1]:1", "wrong", "/v1/judgings", 401},
		{"[2001:db8::2]:1", "wrong", "/v1/judgings", 401},
		{"[2001:db8::3]:1", "wrong", "/v1/judgings", 401},
		{"[2001:db8::4]:1", "wrong", "/v1/judgings", 401},
		{"[2001:db8::5]:1", "wrong", "/v1/judgings", 429}, // the same network
	} {
		rec := ask(tt.address, tt.token, tt.path)
		if rec.Code != tt.want {
			t.Errorf("%d: %d, want %d", i, rec.Code, tt.want)
		}
		if limited := rec.Code == 429; limited != (rec.Header().Get("Retry-After") != "") || limited && !strings.Contains(rec.Body.String(), kindRate) {
			t.Errorf("%d: %v %s", i, rec.Header(), rec.Body)
		}
	}
	if text := ask("10.0.0.9:1", "reader", "/metrics").Body.String(); !strings.Contains(text, "judged_http_limited_total 4") {
		t.Error("the refusals are not counted")
	}
}

// TestAudit checks what is recorded of requests that change something, and that it is nothing secret.
func TestAudit(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	s := program("AC")
	s.Source = text("my secret program")
	j := w.judged("ann", s)
	w.do("ann", "GET", j.Links.Self, nil)
	w.do("ann", "DELETE", j.Links.Self, nil)
	w.do("secret-token", "DELETE", j.Links.Self, nil)
	w.do("admin", "DELETE", j.Links.Self, nil)
	got := w.audit.String()
	for _, want := range []string{
		`"token":"t1","owner":"ann","address":"127.0.0.1","method":"POST","route":"/v1/judgings","object":"` + j.ID + `","status":201}`,
		`"token":"t1","owner":"ann","address":"127.0.0.1","method":"DELETE","route":"/v1/judgings/{id}","object":"","status":403}`,
		`"token":"","owner":"","address":"127.0.0.1","method":"DELETE","route":"/v1/judgings/{id}","object":"","status":401}`,
		`"token":"t6","owner":"admin","address":"127.0.0.1","method":"DELETE","route":"/v1/judgings/{id}","object":"` + j.ID + `","status":204}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 4 || strings.Contains(got, "secret") {
		t.Errorf("%d records: %s", n, got)
	}
}

// TestTokens makes, uses and revokes a token.
func TestTokens(t *testing.T) {
	t.Parallel()
	entries, err := access.NewLogStore(t.Context(), simstore.Blocking(time.Second, time.Second)().Tokens, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	tokens := access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 64, Passes: 1, Threads: 1}})
	root, _, err := tokens.Issue(t.Context(), access.Grant{Name: "root", Owner: "root", Scopes: []access.Scope{access.Admin}})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, http: httptest.NewServer(New(Options{Service: nobody{}, Tokens: tokens}))}
	defer w.http.Close()
	var made NewToken
	w.do(root, "POST", "/v1/tokens", Grant{Name: "web site", Owner: "course", Scopes: []string{"submit", "read"}}).decode(t, http.StatusCreated, &made)
	if made.Owner != "course" || made.Token == "" || made.ID == "" || len(made.Scopes) != 2 {
		t.Errorf("%+v", made.TokenInfo)
	}
	if r := w.do(made.Token, "GET", "/v1/judgings", nil); r.StatusCode != 200 {
		t.Error(r.Status)
	}
	var list TokenList
	if r := w.do(root, "GET", "/v1/tokens", nil); strings.Contains(r.text, made.Token) {
		t.Error("the list has a secret")
	} else if r.decode(t, 200, &list); len(list.Tokens) != 2 {
		t.Errorf("%+v", list)
	}
	if r := w.do(root, "DELETE", "/v1/tokens/"+made.ID, nil); r.StatusCode != http.StatusNoContent {
		t.Error(r.Status, r.text)
	}
	if r := w.do(made.Token, "GET", "/v1/judgings", nil); r.StatusCode != 401 || !strings.Contains(r.text, "revoked") {
		t.Error(r.Status, r.text)
	}
	if r := w.do(root, "DELETE", "/v1/tokens/nobody", nil); r.StatusCode != 404 {
		t.Error(r.Status, r.text)
	}
	for why, g := range map[string]Grant{
		"no scope":           {Name: "a", Owner: "b", Scopes: []string{}},
		"an unknown scope":   {Name: "a", Owner: "b", Scopes: []string{"root"}},
		"no owner":           {Name: "a", Scopes: []string{"read"}},
		"an unprintable one": {Name: "a", Owner: "a\nb", Scopes: []string{"read"}},
		"the past":           {Name: "a", Owner: "b", Scopes: []string{"read"}, Expires: time.Unix(1, 0)},
	} {
		if r := w.do(root, "POST", "/v1/tokens", g); r.StatusCode != 422 {
			t.Errorf("%s: %s %s", why, r.Status, r.text)
		}
	}
}

// TestSlow checks that a client that sends its body slowly, or not at all, is not waited for, and that
// nothing of it is stored.
func TestSlow(t *testing.T) {
	t.Parallel()
	taken := &counter{}
	w := New(Options{Service: taken, Tokens: everybody, Languages: languages, Bounds: Bounds{Brief: time.Second, Wait: time.Hour}})
	server := httptest.NewUnstartedServer(w)
	server.Config = NewServer(w)
	server.Config.ReadHeaderTimeout = time.Second
	if server.Config.ReadTimeout == 0 {
		t.Error("nothing bounds bodies without a route")
	}
	server.Config.ReadTimeout = time.Second
	server.Start()
	defer server.Close()
	body := `{"problem":"maze","language":"c","source":"AC"}`
	head := func(length int) string {
		return fmt.Sprintf("POST /v1/judgings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", length)
	}
	for _, tt := range []struct {
		why, sent string
		closes    bool
		want      string
	}{
		{"half a header", "POST /v1/judgings HTTP/1.1\r\nHost: x\r\n", false, ""},
		{"no body", head(len(body)), false, "408 Request Timeout"},
		{"half a body", head(len(body)) + body[:20], false, "408 Request Timeout"},
		{"half a body of a run", strings.Replace(head(len(body)), "/v1/judgings", "/v1/run", 1) + body[:20], false, "408 Request Timeout"},
		{"half a body for a stream, without a token", "GET /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx", false, "401 Unauthorized"},
		{"half a body for a path of no route", "POST //v1/judgings HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx", false, "307 Temporary Redirect"},
		{"a body in chunks of no size", "POST /v1/judgings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nsize\r\n", false, "400 Bad Request"},
		{"half a body, and no more", head(len(body)) + body[:20], true, "400 Bad Request"},
		{"a header that is too large", "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", false, "431 Request Header Fields Too Large"},
		{"a body that is too large", head(100<<20) + body, true, "400 Bad Request"},
	} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, tt.sent); err != nil {
			t.Fatal(err)
		}
		if tt.closes {
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		got := ""
		if err == nil {
			got = answer.Status
			answer.Body.Close()
		}
		if got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.why, got, err, tt.want)
		}
		c.Close()
	}
	if n := taken.Load(); n != 0 {
		t.Errorf("%d submissions were taken", n)
	}
	if n := w.budget.held(); n != 0 {
		t.Errorf("%d bytes are still counted", n)
	}
}

// TestTwoLengths sends a body with two lengths, of which a proxy may believe the other, and a request behind it.
func TestTwoLengths(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: nobody{}, Tokens: everybody})
	server := httptest.NewUnstartedServer(w)
	server.Config = NewServer(w)
	server.Start()
	defer server.Close()
	for _, tt := range []struct {
		why, length string
		closes      bool
	}{
		{"one length", "Content-Length: 5\r\n\r\n0\r\n\r\n", false},
		{"chunks, which may hide a length", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		{"both", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
	} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "POST /healthz HTTP/1.1\r\nHost: x\r\n"+tt.length+"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answers, err := io.ReadAll(c)
		if n := strings.Count(string(answers), "HTTP/1.1 "); err != nil || (n == 1) != tt.closes {
			t.Errorf("%s: %d answers, %v\n%s", tt.why, n, err, answers)
		}
		c.Close()
	}
}

// counter is a service that counts submissions.
type counter struct {
	nobody
	atomic.Int64
}

func (c *counter) Submit(context.Context, service.Request) (ledger.Submission, bool, error) {
	c.Add(1)
	return ledger.Submission{}, true, nil
}

// TestBudget checks that the bodies of an owner take no more than half of the memory, and give it back.
func TestBudget(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: nobody{}, Tokens: everybody, Bounds: Bounds{Buffered: 2000}})
	put := func(n int) int {
		data := strings.Repeat("x", n)
		r := httptest.NewRequestWithContext(t.Context(), "PUT", "/v1/blobs/"+store.RefOf([]byte(data)).Hash, strings.NewReader(data))
		r.Header.Set("Authorization", "Bearer ann")
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		return rec.Code
	}
	for _, tt := range []struct{ size, want int }{{1000, 201}, {1001, 503}, {1000, 201}} {
		if got := put(tt.size); got != tt.want {
			t.Errorf("%d bytes: %d, want %d", tt.size, got, tt.want)
		}
	}
}

// TestMetrics checks that the metrics are there, with what the service knows.
func TestMetrics(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	w.judged("ann", program("WA"))
	w.judged("ann", program("JE"))
	for name, entry := range map[string]string{
		"w1": `{"worker":"w1","host":"h","slots":4,"busy":1,"factor":1.5,"box_deaths":2,"notes":["no cgroups"]}`,
		"w2": `{"worker":"w2","slots":2,"draining":true}`, "w3": `{"worker":"w3","sick":"the jail leaks"}`,
	} {
		if err := w.store.Board.Post(t.Context(), service.WorkersKey+"."+name, []byte(entry)); err != nil {
			t.Fatal(err)
		}
	}
	got := w.do("reader", "GET", "/metrics", nil).text
	for _, want := range []string{
		"judged_submissions 2", "judged_waiting 0", "judged_held 1", "judged_attempts_failed_total 3", `judged_worker_box_deaths_total{worker="w1"} 2`, `judged_verdicts{verdict="WA"} 1`, `judged_verdicts{verdict="AC"} 0`, "judged_leader 1",
		"judged_submitted_total 2", `judged_slots{worker="w1"} 4`, `judged_busy{worker="w1"} 1`, `judged_worker_factor{worker="w1"} 1.5`,
		`judged_workers{state="ready"} 1`, `judged_workers{state="draining"} 1`, `judged_workers{state="sick"} 1`, "judged_watchers 0", "judged_oldest_waiting_seconds 0",
		`judged_http_requests_total{method="POST",route="/v1/judgings",status="201"} 2`, "judged_http_limited_total 0", "go_goroutines",
	} {
		if !strings.Contains(got, want+"\n") && !strings.Contains(got, want+" ") {
			t.Errorf("no %s in the metrics", want)
		}
	}
	var list WorkerList
	w.do("reader", "GET", "/v1/workers", nil).decode(t, 200, &list)
	if len(list.Workers) != 3 || list.Workers[0].Slots != 4 || list.Workers[2].Sick != "the jail leaks" || list.Workers[2].State != "sick" {
		t.Errorf("%+v", list)
	}
	for _, path := range []string{"/healthz", "/readyz", "/v1/version", "/v1/languages", "/openapi.json"} {
		if r := w.do("", "GET", path, nil); r.StatusCode != 200 {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
}

// TestProxies checks whose address a request has that came through proxies, and whether its client used TLS.
func TestProxies(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: nobody{}, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("2001:db8:1::/48")}})
	for _, tt := range []struct {
		why, peer string
		headers   []string
		address   string
		tls       bool
	}{
		{"no proxy", "192.0.2.1:5", nil, "192.0.2.1", false},
		{"a forged header", "192.0.2.1:5", []string{"X-Forwarded-For", "198.51.100.1", "X-Forwarded-Proto", "https", "Forwarded", "for=198.51.100.1;proto=https"}, "192.0.2.1", false},
		{"a proxy", "10.0.0.1:5", []string{"X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "https"}, "192.0.2.1", true},
		{"without TLS", "10.0.0.1:5", []string{"X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "http"}, "192.0.2.1", false},
		{"a proxy that says nothing", "10.0.0.1:5", nil, "10.0.0.1", false},
		{"a header that the client began", "10.0.0.1:5", []string{"X-Forwarded-For", "198.51.100.1, 10.0.0.9, 192.0.2.1"}, "192.0.2.1", false},
		{"in two lines", "10.0.0.1:5", []string{"X-Forwarded-For", "198.51.100.1", "X-Forwarded-For", "192.0.2.1"}, "192.0.2.1", false},
		{"two proxies", "10.0.0.1:5", []string{"X-Forwarded-For", "198.51.100.1, 192.0.2.1, 10.0.0.2"}, "192.0.2.1", false},
		{"from a proxy", "10.0.0.1:5", []string{"X-Forwarded-For", "10.0.0.3, 10.0.0.2"}, "10.0.0.3", false},
		{"an address that is none", "10.0.0.1:5", []string{"X-Forwarded-For", "192.0.2.1, unknown, 10.0.0.2"}, "10.0.0.2", false},
		{"with a port", "10.0.0.1:5", []string{"X-Forwarded-For", "192.0.2.1:4711"}, "192.0.2.1", false},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:5", []string{"X-Forwarded-For", "::ffff:192.0.2.1"}, "192.0.2.1", false},
		{"IPv6", "[2001:db8:1::1]:5", []string{"X-Forwarded-For", "2001:db8:2::7"}, "2001:db8:2::7", false},
		{"IPv6 with a port", "[2001:db8:1::1]:5", []string{"X-Forwarded-For", "[2001:db8:2::7]:99"}, "2001:db8:2::7", false},
		{"Forwarded", "10.0.0.1:5", []string{"Forwarded", `for=198.51.100.1, For="[2001:db8:2::7]:99";by=10.0.0.1;proto=https`}, "2001:db8:2::7", true},
		{"an element that the client left open", "10.0.0.1:5", []string{"Forwarded", `for="198.51.100.1;, for=192.0.2.1`}, "192.0.2.1", false},
		{"a hidden node", "10.0.0.1:5", []string{"Forwarded", `for=_hidden`}, "10.0.0.1", false},
		{"two headers that agree", "10.0.0.1:5", []string{"Forwarded", `for=192.0.2.1`, "X-Forwarded-For", "192.0.2.1"}, "192.0.2.1", false},
		{"two headers, of which the client made one", "10.0.0.1:5", []string{"Forwarded", `for=198.51.100.1`, "X-Forwarded-For", "192.0.2.1"}, "10.0.0.1", false},
		{"a socket without an address", "@", []string{"X-Forwarded-For", "192.0.2.1"}, "@", false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = tt.peer
		for i := 0; i < len(tt.headers); i += 2 {
			r.Header.Add(tt.headers[i], tt.headers[i+1])
		}
		if got := w.forwarded(r); address(got) != tt.address || (got.TLS != nil) != tt.tls {
			t.Errorf("%s: from %s, TLS: %v; want %s, %v", tt.why, address(got), got.TLS != nil, tt.address, tt.tls)
		}
	}
	// The bound of an address is that of the client, and IPv6 is bounded by its network.
	w = New(Options{Service: nobody{}, PerAddress: rate.New(0.001, 1, 10), Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24")}})
	for i, tt := range []struct {
		client string
		want   int
	}{{"192.0.2.1", 200}, {"192.0.2.2", 200}, {"192.0.2.1", 429}, {"2001:db8::1", 200}, {"2001:db8::2", 429}, {"2001:db8:0:1::1", 200}} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/version", nil)
		r.RemoteAddr = "10.0.0.1:5"
		r.Header.Set("X-Forwarded-For", tt.client)
		rec := httptest.NewRecorder()
		if w.ServeHTTP(rec, r); rec.Code != tt.want {
			t.Errorf("%d, %s: %d, want %d", i, tt.client, rec.Code, tt.want)
		}
	}
}

// TestUnreadBody asks for streams with a body that nothing reads, and for more by the same connection: the server does
// not stumble over it.
func TestUnreadBody(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	var j Judging
	w.do("ann", "POST", "/v1/judgings?wait=60s", program("AC")).decode(t, http.StatusCreated, &j)
	var stumbles strings.Builder // written before the server is closed
	server := httptest.NewUnstartedServer(w.web)
	server.Config.ErrorLog = log.New(&stumbles, "", 0)
	server.Start()
	for _, request := range []string{"GET " + j.Links.Events, "POST /v1/batches", "GET " + j.Links.Self} {
		method, path, _ := strings.Cut(request, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader("null"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer ann")
		resp, err := server.Client().Do(r)
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("%s: %v", request, err)
		}
		resp.Body.Close()
	}
	server.Close()
	if stumbles.Len() > 0 {
		t.Errorf("the server says:\n%.300s", stumbles.String())
	}
}
