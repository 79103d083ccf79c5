package web

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
)

// part is a part of a form.
type part struct{ name, file, text string }

// formOf returns a form and its media type.
func formOf(t testing.TB, parts ...part) (body, mediaType string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		disposition := fmt.Sprintf("form-data; name=%q", p.name)
		if p.file != "" {
			disposition += fmt.Sprintf("; filename=%q", p.file)
		}
		h.Set("Content-Disposition", disposition)
		w, err := m.CreatePart(h)
		if err == nil {
			_, err = w.Write([]byte(p.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), m.FormDataContentType()
}

func TestForm(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) { o.Bounds.Source = 1 << 20 })
	w.problem("maze")
	archive := string(pack(t, map[string]string{"main.cpp": "AC", "lib/a.h": ""}))
	large := strings.Repeat("x", 1<<20+1)
	for _, tt := range []struct {
		why    string
		token  string
		parts  []part
		status int
		want   string
	}{
		{"a file", "ann", []part{{"problem", "", "maze"}, {"source", "a.cpp", "WA"}}, 201, `"verdict":"WA"`},
		{"the file first", "ann", []part{{"source", "a.cpp", "TLE"}, {"problem", "", "maze"}, {"all", "", "true"}, {"priority", "", "batch"}, {"submitter", "", "x"}}, 201, `"submitter":"ann/x"`},
		{"its folder does not count", "ann", []part{{"problem", "", "maze"}, {"source", "../../etc/a.cpp", "AC"}}, 201, `"name":"a.cpp"`},
		{"a name of its own", "ann", []part{{"problem", "", "maze"}, {"name", "", "b.c"}, {"source", "a.cpp", "AC"}}, 201, `"name":"b.c"`},
		{"an archive", "ann", []part{{"problem", "", "maze"}, {"source", "a.zip", archive}}, 201, `"name":"a.zip"`},
		{"a package", "teacher", []part{{"problem", "", "tower"}, {"package", "p.zip", archive}, {"source", "a.cpp", "WA"}}, 201, `"problem":"tower"`},
		{"a package without the scope", "ann", []part{{"problem", "", "tower"}, {"package", "p.zip", archive}, {"source", "a.cpp", "WA"}}, 403, "scope problems"},
		{"a package of no problem", "teacher", []part{{"package", "p.zip", archive}, {"source", "a.cpp", "WA"}}, 422, "want either a problem"},
		{"a package with a version", "teacher", []part{{"problem", "", "tower@1"}, {"package", "p.zip", archive}, {"source", "a.cpp", "WA"}}, 422, "without a version"},
		{"a package that is none", "teacher", []part{{"problem", "", "tower"}, {"package", "p.zip", "x"}, {"source", "a.cpp", "WA"}}, 422, "not a zip archive"},
		{"a bad id", "teacher", []part{{"problem", "", "A b"}, {"package", "p.zip", archive}, {"source", "a.cpp", "WA"}}, 422, `digits, _ and -"`},
		{"no source", "ann", []part{{"problem", "", "maze"}, {"language", "", "c"}}, 422, "want one of source"},
		{"two sources", "ann", []part{{"problem", "", "maze"}, {"source", "a.cpp", "AC"}, {"source", "b.cpp", "AC"}}, 422, "twice (hint: several files go into a .zip)"},
		{"an empty source", "ann", []part{{"problem", "", "maze"}, {"source", "a.cpp", ""}}, 201, `"verdict":"AC"`},
		{"a large source", "ann", []part{{"problem", "", "maze"}, {"source", "a.cpp", large}}, 413, "source has more than 1MiB"},
		{"a large field", "ann", []part{{"problem", "", large}, {"source", "a.cpp", "AC"}}, 413, "problem has more than 4KiB"},
		{"a text instead of a file, as of curl without @", "ann", []part{{"problem", "", "maze"}, {"source", "", "a.cpp"}}, 422, "a file with a name, or a language (hint: curl -F source=@sum.cpp)"},
		{"a text with its language", "ann", []part{{"problem", "", "maze"}, {"source", "", "WA"}, {"language", "", "c"}}, 201, `"verdict":"WA"`},
		{"an unknown field", "ann", []part{{"probem", "", "maze"}, {"source", "a.cpp", "AC"}}, 422, "no such field"},
		{"a field without a name", "ann", []part{{"", "", "maze"}}, 422, "no such field"},
		{"no flag", "ann", []part{{"all", "", "yes"}}, 422, "want true or false"},
		{"a time zone of a day", "ann", []part{{"problem", "", "maze"}, {"deadline", "", "2040-01-02T15:04:05+24:00"}, {"source", "a.cpp", "AC"}}, 201, `"deadline":"2040-01-01T15:04:05Z"`},
		{"a year with five digits", "ann", []part{{"problem", "", "maze"}, {"deadline", "", "9999-12-31T23:59:59-23:00"}, {"source", "a.cpp", "AC"}}, 422, "four digits"},
		{"no time", "ann", []part{{"deadline", "", "tomorrow"}}, 422, "2006-01-02"},
	} {
		body, mediaType := formOf(t, tt.parts...)
		r := w.do(tt.token, "POST", "/v1/judgings?wait=60s", body, "Content-Type", mediaType)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	body, mediaType := formOf(t, part{"problem", "", "ruin"}, part{"package", "p.zip", string(pack(t, map[string]string{"unusable": "unusable"}))}, part{"source", "a.cpp", "WA"})
	r := w.do("teacher", "POST", "/v1/judgings?wait=60s", body, "Content-Type", mediaType)
	if cancelled, refused := r.StatusCode == 201 && strings.Contains(r.text, `"status":"cancelled"`), r.StatusCode == 409; !cancelled && !refused { // if it is checked before
		t.Errorf("a package that cannot be judged: %s %s", r.Status, r.text)
	}
	body, mediaType = formOf(t, part{"problem", "", "maze"}, part{"source", "a.cpp", "AC"})
	for _, tt := range []struct{ why, body, mediaType, want string }{
		{"cut off", body[:len(body)-20], mediaType, "the body ended early"},
		{"without a boundary", body, formType, "not a form"},
		{"with another boundary", body, formType + "; boundary=x", "the body ended early"},
		{"nothing", "", mediaType, "the body ended early"},
		{"without its end", strings.TrimRight(body, "-\r\n"), mediaType, "the body ended early"},
		{"cut off behind a part", body[:strings.LastIndex(body, "\r\n--")+2], mediaType, "the body ended early"},
	} {
		r := w.do("ann", "POST", "/v1/judgings", tt.body, "Content-Type", tt.mediaType)
		if r.StatusCode != 400 || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s", tt.why, r.Status, r.text)
		}
	}
	if r := w.do("ann", "POST", "/v1/judgings?wiat=60s", body, "Content-Type", mediaType); r.StatusCode != 422 || !strings.Contains(r.text, `"query.wiat"`) {
		t.Errorf("an unknown parameter: %s %s", r.Status, r.text)
	}
	if r := w.do("ann", "POST", "/v1/run", body, "Content-Type", mediaType); r.StatusCode != http.StatusUnsupportedMediaType || !strings.Contains(r.text, "hint: JSON has the header") {
		t.Errorf("a form elsewhere: %s %s", r.Status, r.text)
	}
}

// FuzzForm checks that no form makes the reader of forms fail otherwise than by a problem, and that
// what it accepts is a form of known parts.
func FuzzForm(f *testing.F) {
	body, mediaType := formOf(f, part{"problem", "", "maze"}, part{"source", "a.cpp", "AC"}, part{"all", "", "true"})
	f.Add([]byte(body), mediaType)
	f.Add([]byte(body[:60]), mediaType)
	f.Add([]byte("--x\r\nContent-Disposition: form-data; name=source\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=\r\n--x--"), formType+"; boundary=x")
	w := described()
	f.Fuzz(func(t *testing.T, body []byte, mediaType string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", mediaType)
		got, err := w.readForm(r)
		if err != nil {
			if p := problemOf(err); p.Status < 400 || p.Status >= 500 {
				t.Fatalf("%d: %v", p.Status, err)
			}
			return
		}
		if len(got.Base64)+len(got.archive) > len(body) || len(got.seen) > len(body) {
			t.Fatalf("more than the form holds: %+v", got)
		}
	})
}
