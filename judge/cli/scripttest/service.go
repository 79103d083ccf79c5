//go:build linux

package scripttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// asks sends a request to a service, whose address is in its log and whose token is in $TOKEN_FILE, by
// default data/admin.token. The answer must have the given status. One that waits for a judging, which the service
// does for a minute at most, is asked again as long as the tests may take.
//
//	asks 201 serve.log POST /v1/judgings?wait=1m sum.json
func (p patience) asks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || len(args) > 5 {
		ts.Fatalf("usage: asks status log method path [file]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	file := ts.Getenv("TOKEN_FILE")
	if file == "" {
		file = "data/admin.token"
	}
	var body io.Reader
	if len(args) == 5 {
		body = strings.NewReader(ts.ReadFile(args[4]))
	}
	client := http.Client{Timeout: time.Until(time.Time(p))}
	service, token := "http://"+address(ts, args[1]), strings.TrimSpace(ts.ReadFile(file))
	ask := func(method, path string, body io.Reader, want int) []byte {
		r, err := http.NewRequest(method, service+path, body)
		ts.Check(err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := client.Do(r)
		ts.Check(err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		ts.Check(err)
		if answer.StatusCode != want {
			_, _ = ts.Stdout().Write(text)
			ts.Fatalf("%s, want status %d", answer.Status, want)
		}
		return text
	}
	text := ask(args[2], args[3], body, want)
	for strings.Contains(args[3], "wait=") {
		var judging struct {
			Status string
			Links  struct{ Self string }
		}
		_ = json.Unmarshal(text, &judging) // others do not end
		if judging.Status != "waiting" {
			break
		}
		text = ask("GET", judging.Links.Self+"?wait=1m", nil, http.StatusOK)
	}
	_, err = ts.Stdout().Write(text)
	ts.Check(err)
}

// keeps sets a variable to the text in a field of the last answer.
//
//	keeps ID id
func keeps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keeps variable field")
	}
	var answer map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &answer))
	text, ok := answer[args[1]].(string)
	if !ok {
		ts.Fatalf("there is no text %s", args[1])
	}
	ts.Setenv(args[0], text)
}

// ends sends SIGTERM to the process in the background whose command names a file. The script then waits for
// it.
//
//	ends serve.log
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ends file")
	}
	for _, cmd := range ts.BackgroundCmds() {
		if strings.Contains(strings.Join(cmd.Args, " "), args[0]) {
			ts.Check(cmd.Process.Signal(syscall.SIGTERM))
			return
		}
	}
	ts.Fatalf("no process in the background names %s", args[0])
}

// address returns the address at which the service with a log listens.
func address(ts *testscript.TestScript, log string) string {
	for _, r := range records(ts, log) {
		if r["msg"] == "listening" {
			return r["address"].(string)
		}
	}
	ts.Fatalf("%s: the service does not listen yet (hint: awaits %s listening)", log, log)
	return ""
}

// records returns the lines of a log, each of which must be a record in JSON.
func records(ts *testscript.TestScript, file string) (list []map[string]any) {
	lines := bufio.NewScanner(bytes.NewReader([]byte(ts.ReadFile(file))))
	for lines.Scan() {
		var r map[string]any
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			ts.Fatalf("%s: not a record: %s", file, lines.Bytes())
		}
		list = append(list, r)
	}
	return list
}

// logs requires that every line of a log is a record in JSON with a time, a level and a message, and that
// there is one with each of the given messages, in this order.
//
//	logs serve.log 'this service leads' ending
func logs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: logs file [message...]")
	}
	var found []string
	for _, r := range records(ts, args[0]) {
		message, _ := r["msg"].(string)
		at, _ := r["time"].(string)
		level, _ := r["level"].(string)
		if _, err := time.Parse(time.RFC3339Nano, at); err != nil || message == "" || level == "" {
			ts.Fatalf("%s: a record without time, level or message: %v", args[0], r)
		}
		found = append(found, message)
	}
	rest := found
	for _, want := range args[1:] {
		i := slices.Index(rest, want)
		if i < 0 {
			ts.Fatalf("%s has no further record %q, but %q", args[0], want, found)
		}
		rest = rest[i+1:]
	}
}

// locates sets a variable to the URL of a service, whose address is in its log.
//
//	locates SERVER serve.log
func locates(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: locates variable log")
	}
	ts.Setenv(args[0], "http://"+address(ts, args[1]))
}

// agrees requires that two documents of judge grade --json are the same except for measurements, and for
// what says where a submission was judged and how to do it again.
//
//	agrees here.json there.json
func agrees(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: agrees file file")
	}
	var docs [2]map[string]any
	for i, file := range args {
		ts.Check(json.Unmarshal(stripped(ts, file), &docs[i]))
		for _, key := range []string{"notes", "busy", "command"} {
			delete(docs[i], key)
		}
	}
	if diff := cmp.Diff(docs[0], docs[1]); diff != "" {
		ts.Fatalf("-%s +%s\n%s", args[0], args[1], diff)
	}
}
