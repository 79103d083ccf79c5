package web

import (
	"net/http"
	"strings"
	"testing"
)

// helloC is the program of Judge0's documentation.
const helloC = `"#include <stdio.h>\n\nint main(void) {\n  char name[10];\n  scanf(\"%s\", name);\n  printf(\"hello, %s\\n\", name);\n  return 0;\n}"`

// TestJudge0 plays the requests of Judge0's documentation. The worker of this test runs every program as
// one that writes its input.
func TestJudge0(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	auth := []string{"X-Auth-Token", "ann"}
	ask := func(method, path, body string) *reply {
		t.Helper()
		if body == "" {
			return w.do("", method, path, nil, auth...)
		}
		return w.do("", method, path, body, auth...)
	}
	var made struct{ Token string }
	ask("POST", "/submissions?base64_encoded=false&wait=false", `{"source_code":`+helloC+`,"language_id":4,"stdin":"world"}`).decode(t, http.StatusCreated, &made)
	var j Judging
	w.do("ann", "GET", "/v1/judgings/"+made.Token+"?wait=60s", nil).decode(t, 200, &j)
	for _, tt := range []struct {
		why, method, path, body string
		status                  int
		want                    string
	}{
		{"get", "GET", "/submissions/" + made.Token + "?base64_encoded=false&fields=stdout,stderr,status_id,language_id", "", 200, `{"language_id":50,"status_id":3,"stderr":null,"stdout":"world"}`},
		{"get in base64", "GET", "/submissions/" + made.Token + "?base64_encoded=true&fields=stdout,source_code,stdin,expected_output", "", 200,
			`{"expected_output":null,"source_code":"I2luY2x1ZGUgPHN0ZGlvLmg+CgppbnQgbWFpbih2b2lkKSB7CiAgY2hhciBu\nYW1lWzEwXTsKICBzY2FuZigiJXMiLCBuYW1lKTsKICBwcmludGYoImhlbGxv\nLCAlc1xuIiwgbmFtZSk7CiAgcmV0dXJuIDA7Cn0=\n","stdin":"d29ybGQ=\n","stdout":"d29ybGQ=\n"}`},
		{"an unknown token", "GET", "/submissions/x", "", 404, `{"error":"submission not found"}`},
		{"unknown fields", "GET", "/submissions/" + made.Token + "?fields=x", "", 400, `{"error":"invalid fields: [x]"}`},
		{"no language", "POST", "/submissions", `{"source_code":` + helloC + `}`, 422, `{"language_id":["can't be blank"]}`},
		{"an unknown language", "POST", "/submissions", `{"source_code":` + helloC + `,"language_id":150000,"stdin":"world","expected_output":"hello, world"}`, 422, `{"language_id":["language with id 150000 doesn't exist"]}`},
		{"a large limit", "POST", "/submissions", `{"source_code":` + helloC + `,"language_id":4,"number_of_runs":1,"stdin":"Judge0","expected_output":"hello, Judge0","cpu_time_limit":1,"cpu_extra_time":0.5,"wall_time_limit":100000,
			"memory_limit":128000,"stack_limit":128000,"enable_per_process_and_thread_time_limit":false,"enable_per_process_and_thread_memory_limit":false,"max_file_size":1024}`, 422, `{"wall_time_limit":["must be less than or equal to 60"]}`},
		{"wait", "POST", "/submissions?wait=true", `{"source_code":` + helloC + `,"language_id":"4","stdin":"Judge0","expected_output":"Judge0\n"}`, 201, `"status":{"id":3,"description":"Accepted"},"stderr":null,"stdout":"Judge0"`},
		{"a wrong answer", "POST", "/submissions?wait=true&fields=status", `{"source_code":` + helloC + `,"language_id":4,"stdin":"Judge0","expected_output":"hello, Judge0"}`, 201, `{"status":{"id":4,"description":"Wrong Answer"}}`},
		{"base64", "POST", "/submissions?base64_encoded=true&wait=true&fields=stdout", `{"source_code":"eA==","language_id":4,"stdin":"SnVkZ2Uw"}`, 201, `{"stdout":"SnVkZ2Uw\n"}`},
		{"what is no text", "POST", "/submissions?base64_encoded=true&wait=true&fields=stdout", `{"source_code":"eA==","language_id":4,"stdin":"/w=="}`, 201, `{"stdout":"/w==\n"}`},
		{"a compile error", "POST", "/submissions?wait=true&fields=status_id,compile_output", `{"source_code":"CE","language_id":4}`, 201, `{"compile_output":"solution.c:1: error: no","status_id":6}`},
		{"the judge fails", "POST", "/submissions?wait=true&fields=status_id,message", `{"source_code":"x","language_id":62,"stdin":""}`, 201, `{"message":null,"status_id":3}`},
		{"no JSON", "POST", "/submissions", `{`, 400, `{"error":"unexpected end of JSON input"}`},
		{"two", "POST", "/submissions", `{} {}`, 400, `{"error":"invalid character '{' after top-level value"}`},
		{"a batch with errors", "POST", "/submissions/batch", `{"submissions":[{"language_id":50,"source_code":"x"},{"language_id":123456789,"source_code":"print(\"hello from Python\")"},{"language_id":71,"source_code":""}]}`, 201,
			`{"language_id":["language with id 123456789 doesn't exist"]},{"source_code":["can't be blank"]}]`},
		{"a batch of errors", "POST", "/submissions/batch", `{"submissions":[{}]}`, 422, `[{"language_id":["can't be blank"],"source_code":["can't be blank"]}]`},
		{"a slash at the end", "POST", "/submissions/?wait=true&fields=status_id", `{"source_code":"x","language_id":50}`, 201, `{"status_id":3}`},
		{"the same with a token", "GET", "/submissions/" + made.Token + "/?fields=source_code,stdin,expected_output", "", 200, `"source_code":"`},
		{"an empty batch", "POST", "/submissions/batch", `{"submissions":[]}`, 400, `{"error":"there should be at least one submission in a batch"}`},
		{"a large batch", "POST", "/submissions/batch", `{"submissions":[{}` + strings.Repeat(",{}", 20) + `]}`, 400, `{"error":"number of submissions in a batch should be less than or equal to 20"}`},
		{"get a batch", "GET", "/submissions/batch?tokens=" + made.Token + ",x&fields=stdout,language_id", "", 200, `{"submissions":[{"language_id":50,"stdout":"world"},null]}`},
		{"get nothing", "GET", "/submissions/batch", "", 400, `{"error":"there should be at least one submission in a batch"}`},
		{"the statuses", "GET", "/statuses", "", 200, `[{"id":1,"description":"In Queue"},{"id":2,"description":"Processing"},{"id":3,"description":"Accepted"}`},
		{"the languages", "GET", "/languages", "", 200, `[{"id":48,"name":"C (GCC)"},{"id":49,"name":"C (GCC)"},{"id":50,"name":"C (GCC)"},{"id":52,"name":"C++ (GCC)"}`},
	} {
		if r := ask(tt.method, tt.path, tt.body); r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	bad := ask("POST", "/submissions?base64_encoded=true", `{"source_code":"eA==","language_id":4,"stdin":"/w=="}`)
	bad.decode(t, 201, &made)
	w.do("ann", "GET", "/v1/judgings/"+made.Token+"?wait=60s", nil)
	if r := ask("GET", "/submissions/"+made.Token, ""); r.StatusCode != 400 || !strings.Contains(r.text, "use base64_encoded=true") {
		t.Errorf("%s %s", r.Status, r.text)
	}
	w.problem("maze")
	if r := ask("GET", "/submissions/"+w.judged("ann", program("AC")).ID, ""); r.StatusCode != 404 {
		t.Errorf("a judging is a submission of Judge0: %s", r.Status)
	}
}

// TestJudge0Bounds checks what bounds requests of Judge0's API as it does those of ours.
func TestJudge0Bounds(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) { o.Bounds.Buffered = 4000 })
	if r := w.do("ann", "POST", "/submissions", `{"source_code":"x","language_id":50}`, "Idempotency-Key", strings.Repeat("k", maxKey+1)); r.StatusCode != 422 || !strings.Contains(r.text, "at most 255 bytes") {
		t.Errorf("a long key: %s %s", r.Status, r.text)
	}
	var tokens []string
	for range 3 {
		var made struct{ Token string }
		w.do("ann", "POST", "/submissions", `{"source_code":"`+strings.Repeat("x", 900)+`","language_id":50}`).decode(t, 201, &made)
		tokens = append(tokens, made.Token)
	}
	for _, tt := range []struct {
		why, query string
		status     int
	}{
		{"two", "?fields=source_code&tokens=" + strings.Join(tokens[:2], ","), 200},
		{"more than half of the memory", "?fields=source_code&tokens=" + strings.Join(tokens, ","), 503},
		{"what they do not need", "?fields=token&tokens=" + strings.Join(tokens, ","), 200},
	} {
		if r := w.do("ann", "GET", "/submissions/batch"+tt.query, nil); r.StatusCode != tt.status {
			t.Errorf("%s: %s %s", tt.why, r.Status, r.text)
		}
	}
	if n := w.web.budget.held(); n != 0 {
		t.Errorf("%d bytes are still counted", n)
	}
}
