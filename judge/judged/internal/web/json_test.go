package web

import (
	"strings"
	"testing"
)

func TestTextual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		ok        bool
	}{
		{"UTF-8", `{"a":"é\u00e9\n"}`, true},
		{"a byte of another encoding", "{\"a\":\"\xe9\"}", false},
		{"a surrogate pair", `"\ud83d\ude00"`, true},
		{"half of one", `"\ud83d"`, false},
		{"the other half", `"\ude00"`, false},
		{"two first halves", `"\ud83d\ud83d"`, false},
		{"half of one, then another escape", `"\ud83d\n"`, false},
		{"an escaped backslash before what looks like an escape", `"\\ud83d"`, true},
		{"a cut escape, which is not JSON either", `"\ud8`, true},
		{"nothing", "", true},
	} {
		if err := textual([]byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

// TestKeys sends bodies whose keys others may read in another way.
func TestKeys(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	for _, tt := range []struct {
		why, path, body string
		status          int
		want            string // in the answer
	}{
		{"exact keys", "/v1/judgings", `{"problem":"maze","language":"c","source":"AC"}`, 201, ""},
		{"a key twice", "/v1/judgings", `{"problem":"nope","problem":"maze","language":"c","source":"AC"}`, 422, "body.problem: the key is there twice"},
		{"twice, once by an escape", "/v1/judgings", `{"problem":"nope","pr\u006fblem":"maze","language":"c","source":"AC"}`, 422, "body.problem: the key is there twice"},
		{"in another case", "/v1/judgings", `{"Problem":"maze","language":"c","source":"AC"}`, 422, "body.Problem: unknown key (hint: did you mean problem?)"},
		{"in both", "/v1/judgings", `{"problem":"maze","PROBLEM":"nope","language":"c","source":"AC"}`, 422, "body.PROBLEM: unknown key"},
		{"with a letter that folds to s", "/v1/judgings", `{"problem":"maze","language":"c","ſource":"AC"}`, 422, "body.ſource: unknown key (hint: did you mean source?)"},
		{"deep inside", "/v1/judgings", `{"tests":[{"input":"","output":""},{"input":"","output":"","input":"1"}],"language":"c","source":"AC"}`, 422, "body.tests[1].input: the key is there twice"},
		{"of a blob", "/v1/judgings", `{"problem":"maze","language":"c","blob":{"SHA256":"` + strings.Repeat("a", 64) + `","size":1}}`, 422, "body.blob.SHA256: unknown key"},
		{"of a run", "/v1/run", `{"language":"c","source":"AC","stdin":"1","stdin":"2"}`, 422, "body.stdin: the key is there twice"},
		{"of a rejudging", "/v1/rejudgings", `{"problem":"maze","problem":"x"}`, 422, "body.problem: the key is there twice"},
		{"of a line", "/v1/batches", `{"key":"a","problem":"maze","language":"c","source":"AC","source":"WA"}`, 200, `"location":"body.source","message":"the key is there twice"`},
		{"of a line, in another case", "/v1/batches", `{"Key":"a","problem":"maze","language":"c","source":"AC"}`, 200, `"location":"body.Key","message":"unknown key (hint: did you mean key?)"`},
		{"an unknown key of a line", "/v1/batches", `{"key":"a","problem":"maze","language":"c","sauce":"AC"}`, 200, `"location":"body.sauce","message":"unknown key"`},
		{"of Judge0", "/submissions", `{"language_id":50,"source_code":"a","source_code":"b"}`, 422, `"location":"body.source_code","message":"the key is there twice"`},
		{"of Judge0, in another case", "/submissions", `{"language_id":50,"Source_Code":"a"}`, 422, `"location":"body.Source_Code"`},
		{"of a batch of Judge0", "/submissions/batch", `{"submissions":[{"language_id":50,"source_code":"a","language_id":4}]}`, 422, `"location":"body.submissions[0].language_id"`},
	} {
		r := w.do("teacher", "POST", tt.path, tt.body, "Idempotency-Key", tt.why)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
}
