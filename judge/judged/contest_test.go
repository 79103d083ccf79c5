package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestContest brings a contest with its people from the files of another system into a service, and its results out.
func TestContest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := func(name, text string) string {
		write(t, filepath.Join(dir, name), []byte(text))
		return filepath.Join(dir, name)
	}
	log := &logLines{lines: make(chan string, 1000)}
	launch(t, log, "serve", "--data", data, "--no-worker", "--listen", "127.0.0.1:0")
	at := []string{"--server", "http://" + log.await(t, `"listening","address":"([^"]+)"`), "--token-file", filepath.Join(data, adminFile)}
	contest := file("contest.yaml", "name: Cup\nshort-name: The Cup\nstart-time: 2026-11-01T09:00:00Z\nduration: 5:00:00\nmedals: {gold: 4}\n")
	for _, tt := range []struct {
		why       string
		args      []string
		code      int
		out, errs string
	}{
		{"problems in a file of their own", []string{"course", "set", contest, file("problems.yaml", "- {id: sum, label: A}\n")}, 0, "the_cup: Cup\n", "judged: note: " + contest + ": without effect: medals\n"},
		{"no problems, and another id", []string{"course", "set", contest, "--id", "bare"}, 0, "bare: Cup\n", "judged: note: " + contest + ": no problems (hint: judged course set " + contest + " problems.yaml)\njudged: note: " + contest + ": without effect: medals\n"},
		{"a wrong list", []string{"course", "set", contest, file("wrong.yaml", "- {id: sum}\n- {lable: B}\n")}, exitUsage, "", "judged: " + filepath.Join(dir, "wrong.yaml") + ":2: problem 2: unknown key \"lable\" (hint: did you mean label?)\n"},
		{"people", []string{"people", "import", file("groups.tsv", "groups\t1\n4\tNorth\n"), file("teams.tsv", "teams\t1\n7\t1\t4\tReds\tUni\tU\tDEU\n"), file("accounts.tsv", "accounts\t1\nteam\tT\tteam-007\tx\n"), "--course", "the_cup", "--preview"}, 0, "login,name,change\nteam-007,Reds,new\n", "judged: 1 new, 0 changed, 0 as they were\n"},
		{"results", []string{"course", "export", "results.tsv", "--course", "the_cup"}, 0, "results\t1\n", ""},
		{"another file", []string{"course", "export", "x", "--course", "the_cup"}, exitUsage, "", "no file \"x\" (hint: results.tsv, scoreboard.json, awards.json, teams.json)\n"},
		{"no file", []string{"course", "export", "--course", "the_cup"}, exitUsage, "", "judged: export needs a file (hint: results.tsv, scoreboard.json, awards.json, teams.json)\n"},
	} {
		var out, errs bytes.Buffer
		code := execute(t.Context(), append(tt.args, at...), &out, &errs)
		if code != tt.code || out.String() != tt.out || !strings.Contains(errs.String(), tt.errs) {
			t.Errorf("%s: %d\n%s%s\nwant %d\n%s%s", tt.why, code, &out, &errs, tt.code, tt.out, tt.errs)
		}
	}
}
