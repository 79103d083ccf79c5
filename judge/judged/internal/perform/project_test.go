package perform

import (
	"encoding/json"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// TestProject runs archives with scripts of their own, each script in its jail.
func TestProject(t *testing.T) {
	tier.T2(t, "projects in the jail")
	tier.Needs(t, "projects in the jail", "bash", "gcc")
	p := start(t)
	input := stowed(t, p, []byte("in\n"))
	for _, tt := range []struct {
		why                          string
		files                        map[string]string
		outcome, output, errors, log string // of the last two, a part
	}{
		{"a program that is compiled", map[string]string{"compile": "gcc -o prog src/main.c && echo built >note", "run": "./prog \"$@\"; cat note data.txt; cat", "src/main.c": "#include <stdio.h>\nint main(int n, char **a) { printf(\"%d %s\\n\", n, a[1]); }", "data.txt": "data\n"}, "OK", "2 x y\nbuilt\ndata\nin\n", "", ""},
		{"nothing to compile, and names with .sh", map[string]string{"run.sh": "echo x >out; cat out"}, "OK", "x\n", "", ""},
		{"a script that fails", map[string]string{"compile.sh": "echo bad; exit 3", "run.sh": "true"}, "CE", "", "", "bad"},
		{"nothing to run", map[string]string{"compile": "true"}, "RTE", "", "no script run or run.sh", ""},
		{"an endless run", map[string]string{"run": "while :; do :; done"}, "TLE", "", "", ""},
		{"a compile script that looks round", map[string]string{"compile": "cat /etc/passwd /root/x; touch /usr/x; (exec 3<>/dev/tcp/127.0.0.1/80); exit 1", "run": "true"}, "CE", "", "", "Read-only file system"},
		{"a run that looks round", map[string]string{"run": "cat /etc/passwd; ls /root; touch box/run ../x; exit 1"}, "RTE", "", "passwd: No such file", ""},
		{"a damaged archive", nil, "CE", "", "", "project.zip"},
		{"more than the sources of a program have", map[string]string{"data": strings.Repeat("x", int(build.MaxSource)), "run": "true"}, "CE", "", "", "sources of more than 16MiB"},
		{"a path as long as the service takes", map[string]string{strings.Repeat(strings.Repeat("x", 199)+"/", 4) + strings.Repeat("y", 200): "", "run": "true"}, "CE", "", "", "path of 1004 bytes"},
	} {
		data := []byte("PK\x03\x04")
		if tt.files != nil {
			data = packed(t, tt.files)
		}
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Whole, Name: task.Project, Language: "bash", Source: stowed(t, p, data), Input: &input, Args: []string{"x y"}, Limits: "cpu=500ms"}, func(any) {})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		text, err := store.Fetch(t.Context(), p.blobs, a.Result)
		if err != nil {
			t.Fatal(err)
		}
		var r task.Result
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r.Run.Outcome != tt.outcome || string(r.Run.Text) != tt.output || !strings.Contains(string(r.Run.Errors), tt.errors) || !strings.Contains(r.Run.Built.Error, tt.log) {
			t.Errorf("%s: %s, %q, %q, %q", tt.why, r.Run.Outcome, r.Run.Text, r.Run.Errors, r.Run.Built.Error)
		}
	}
}
