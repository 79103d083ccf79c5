package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

// languagesOfName returns the languages of tests that a name may mean.
func languagesOfName(name string) (list []string) {
	for _, l := range languages {
		if slices.Contains(l.Extensions, path.Ext(name)) {
			list = append(list, l.ID)
		}
	}
	return list
}

// TestOfferedLanguages posts workers, and checks which languages all lists of them show.
func TestOfferedLanguages(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	worker := func(name string, languages ...string) service.Worker {
		return service.Worker{Host: task.Host{Worker: name, Slots: 1}, Languages: languages}
	}
	sick, draining := worker("b", "java"), worker("a", "c")
	sick.Sick, draining.Draining = "its jail does not hold", true
	for _, tt := range []struct {
		why     string
		workers []service.Worker
		want    string // the languages, with the number of ready workers
		judge0  string // their numbers in version 1.13
	}{
		{"no worker has ever been there", nil, "c 0, cpp 0, go 0, java 0, python3 0", "50 54 60 62 71"},
		{"a worker", []service.Worker{worker("a", "c", "python3")}, "c 1, python3 1", "50 71"},
		{"a language that this service does not know", []service.Worker{worker("a", "c", "python3", "zig")}, "c 1, python3 1", "50 71"},
		{"another worker", []service.Worker{worker("b", "c", "java")}, "c 2, java 1, python3 1", "50 62 71"},
		{"a worker is sick, for a moment perhaps", []service.Worker{sick}, "c 1, java 0, python3 1", "50 62 71"},
		{"none is ready", []service.Worker{draining}, "c 0, java 0, python3 0", "50 62 71"},
		{"one does not say what it has", []service.Worker{{Host: task.Host{Worker: "old", Slots: 1}}}, "c 1, cpp 1, go 1, java 1, python3 1", "50 54 60 62 71"},
	} {
		w.post(tt.workers...)
		var list LanguageList
		w.do("", "GET", "/v1/languages", nil).decode(t, http.StatusOK, &list)
		var got []string
		for _, l := range list.Languages {
			got = append(got, l.ID+" "+string(rune('0'+l.Workers)))
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: /v1/languages has %s, want %s", tt.why, text, tt.want)
		}
		var numbers []struct{ ID json.Number }
		w.do("", "GET", "/languages", nil).decode(t, http.StatusOK, &numbers)
		got = nil
		for _, l := range numbers {
			if !strings.Contains("50 54 60 62 71", l.ID.String()) {
				continue // another number of the same language
			}
			got = append(got, l.ID.String())
		}
		if text := strings.Join(got, " "); text != tt.judge0 {
			t.Errorf("%s: /languages has %s, want %s", tt.why, text, tt.judge0)
		}
	}
}

// post posts on the board that workers are there, and lets the service look.
func (w *world) post(workers ...service.Worker) {
	w.t.Helper()
	for _, one := range workers {
		data, err := json.Marshal(one)
		if err == nil {
			err = w.store.Board.Post(w.t.Context(), service.WorkersKey+"."+one.Worker, data)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := w.service.Workers(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// TestAbsentLanguage hands in programs in a language that no worker has, by every route that takes some.
func TestAbsentLanguage(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	w.post(service.Worker{Host: task.Host{Worker: "a", Slots: 1}, Languages: []string{"c", "java"}})
	const (
		absent = `"errors":[{"location":"body.language","message":"no worker has the language python3 (hint: the workers have c, java)"}]`
		judge0 = `{"language_id":["language with id 71 doesn't exist"]}`
		tests  = `"tests":[{"input":"1\n","output":"1\n"}]`
	)
	for _, tt := range []struct {
		why, path, body string
		status          int
		want            string
	}{
		{"by its name", "/v1/judgings", `{"language":"python3","source":"x",` + tests + `}`, 422, absent},
		{"by its extension", "/v1/judgings", `{"name":"x.py","source":"x",` + tests + `}`, 422, absent},
		{"another", "/v1/judgings", `{"language":"c","source":"x",` + tests + `}`, 201, `"status":"waiting"`},
		{"an archive, whose contents are found out later", "/v1/judgings", `{"name":"x.zip","source_base64":"` + base64.StdEncoding.EncodeToString(pack(t, map[string]string{"a.py": "x"})) + `",` + tests + `}`, 201, `"status":"waiting"`},
		{"a run", "/v1/run", `{"language":"python3","source":"x"}`, 422, absent},
		{"a line of a batch", "/v1/batches", `{"key":"a","language":"python3","source":"x",` + tests + `}` + "\n", 200, absent},
		{"Judge0", "/submissions", `{"source_code":"x","language_id":71}`, 422, judge0},
		{"Judge0, that waits", "/submissions?wait=true", `{"source_code":"x","language_id":71}`, 422, judge0},
		{"a batch of Judge0", "/submissions/batch", `{"submissions":[{"source_code":"x","language_id":71}]}`, 422, `[` + judge0 + `]`},
	} {
		r := w.do("ann", "POST", tt.path, tt.body, "Idempotency-Key", tt.why)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %d %s, want %d and %s", tt.why, r.StatusCode, r.text, tt.status, tt.want)
		}
	}
}
