package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/judged/internal/web"
)

// sdkVersion is the version of Judge0's official SDK for Python for which testdata/judge0_sdk.py was written, at commit
// de67582.
const sdkVersion = "0.1.0.dev0"

// TestJudge0SDK has the SDK use a service that judges, and that reports the end of a submission.
func TestJudge0SDK(t *testing.T) {
	tier.T2(t, "Judge0's SDK for Python")
	tier.Needs(t, "Judge0's SDK for Python", "python3", "gcc")
	version, err := exec.CommandContext(t.Context(), "python3", "-c", "import judge0; print(judge0.__version__)").CombinedOutput()
	if err != nil {
		t.Skipf("not checked: Judge0's SDK for Python (python3 has no package judge0 %s with its dependencies: %s)", sdkVersion, bytes.TrimSpace(version))
	}
	if got := strings.TrimSpace(string(version)); got != sdkVersion {
		t.Logf("this is version %s of the SDK, and the script was written for %s", got, sdkVersion)
	}
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	called := make(chan []byte, 9)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPut || !strings.HasPrefix(r.Header.Get(web.SignatureHeader), "sha256=") {
			t.Errorf("%s with %v: %v", r.Method, r.Header, err)
		}
		called <- body
	}))
	t.Cleanup(receiver.Close)
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	write(t, key, []byte("0123456789abcdef\n"))
	log := &logLines{lines: make(chan string, 1000)}
	launch(t, log, "serve", "--data", filepath.Join(dir, "data"), "--root", repository, "--no-doctor", "--listen", "127.0.0.1:0", "--callback-host", strings.TrimPrefix(receiver.URL, "http://"), "--callback-key", key)
	address := log.await(t, `"listening","address":"([^"]+)"`)
	token, err := os.ReadFile(filepath.Join(dir, "data", adminFile))
	if err != nil {
		t.Fatal(err)
	}
	user := submitToken(t, "http://"+address, strings.TrimSpace(string(token)))
	out, err := exec.CommandContext(t.Context(), "python3", "-B", filepath.Join("testdata", "judge0_sdk.py"), "http://"+address, user, receiver.URL).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var body struct{ Token, Stdout string }
	if err := json.Unmarshal(<-called, &body); err != nil || body.Token != strings.TrimSpace(string(out)) || body.Stdout != "Y2FsbGVk\n" {
		t.Errorf("the callback has %+v (%v), and the submission is %s", body, err, out)
	}
}

// submitToken makes a token that may only submit.
func submitToken(t *testing.T, url, admin string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/tokens", strings.NewReader(`{"name":"sdk","owner":"sdk","scopes":["submit"]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+admin)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var made struct{ Token string }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || made.Token == "" {
		t.Fatal(resp.Status, err)
	}
	return made.Token
}

// TestOutsideFlags starts services whose flags let others in or out in a way that is not clear.
func TestOutsideFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, short := filepath.Join(dir, "key"), filepath.Join(dir, "short")
	write(t, key, []byte("0123456789abcdef"))
	write(t, short, []byte("0123456789abcde \n"))
	ctx, stop := context.WithCancel(t.Context())
	stop() // what starts all the same ends at once
	for _, tt := range []struct {
		why  string
		args []string
		want string
	}{
		{"hosts without a key", []string{"--callback-host", "example.org"}, "judged: --callback-host and --callback-key belong together (hint: head -c 32 /dev/urandom | base64 >callback.key)\n"},
		{"a key without hosts", []string{"--callback-key", key}, "judged: --callback-host and --callback-key belong together (hint: head -c 32 /dev/urandom | base64 >callback.key)\n"},
		{"a short key", []string{"--callback-host", "example.org", "--callback-key", short}, "judged: --callback-key " + short + ": 15 bytes are too few for a key, want at least 16\n"},
		{"no key", []string{"--callback-host", "example.org", "--callback-key", "nope"}, "judged: --callback-key: open nope: no such file or directory\n"},
		{"a URL", []string{"--callback-host", "http://example.org", "--callback-key", key}, "judged: --callback-host \"http://example.org\": want a host, such as example.org or 10.0.0.7:8080\n"},
		{"all hosts", []string{"--callback-host", "*", "--callback-key", key}, "judged: --callback-host \"*\": want a host, such as example.org or 10.0.0.7:8080\n"},
		{"a port that is none", []string{"--callback-host", "example.org:99999", "--callback-key", key}, "judged: --callback-host \"example.org:99999\": want a host, such as example.org or 10.0.0.7:8080\n"},
		{"IPv6 without brackets", []string{"--callback-host", "::1", "--callback-key", key}, "judged: --callback-host \"::1\": want a host, such as example.org or 10.0.0.7:8080\n"},
		{"an origin without a scheme", []string{"--origin", "example.org"}, "judged: --origin \"example.org\": want an origin as browsers send it, such as https://ide.example.org, or *\n"},
		{"an origin with a path", []string{"--origin", "https://example.org/"}, "judged: --origin \"https://example.org/\": want an origin as browsers send it, such as https://ide.example.org, or *\n"},
		{"an origin with a password", []string{"--origin", "https://a:b@example.org"}, "judged: --origin \"https://a:b@example.org\": want an origin as browsers send it, such as https://ide.example.org, or *\n"},
		{"a proxy by name", []string{"--proxy", "proxy.example.org"}, "judged: --proxy \"proxy.example.org\": want the addresses of proxies alone, such as 10.0.0.7 or 10.0.0.0/24\n"},
		{"everybody is a proxy", []string{"--proxy", "10.0.0.7,::/0"}, "judged: --proxy \"::/0\": want the addresses of proxies alone, such as 10.0.0.7 or 10.0.0.0/24\n"},
	} {
		var out, errs bytes.Buffer
		data := filepath.Join(dir, "data")
		code := execute(ctx, append([]string{"serve", "--data", data, "--no-worker", "--listen", "127.0.0.1:0"}, tt.args...), &out, &errs)
		if code != exitUsage || errs.String() != tt.want || out.Len() > 0 {
			t.Errorf("%s: exit code %d\n%s%swant %s", tt.why, code, &out, &errs, tt.want)
		}
		if _, err := os.Stat(data); err == nil {
			t.Errorf("%s: it began to work", tt.why)
		}
	}
}
