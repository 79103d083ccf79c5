package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzRequests sends any request to any route of a service that knows nothing: no handler may panic or
// blame the service, and every error is a document.
func FuzzRequests(f *testing.F) {
	w := New(Options{Service: nobody{}, Tokens: everybody, Languages: languages, Bounds: Bounds{Source: 1 << 16, Package: 1 << 16}})
	rows := w.routes()
	for i, row := range rows {
		f.Add(uint8(i), "x", "", "application/json", []byte(`{}`))
		if row.id == "createJudging" {
			f.Add(uint8(i), "", "wait=1s", "application/json", []byte(`{"problem":"maze@1","name":"a.zip","source_base64":"UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==","limits":"cpu=1s"}`))
			f.Add(uint8(i), "", "wait=-1", formType+"; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=problem\r\n\r\nmaze\r\n--x--\r\n"))
		}
	}
	f.Fuzz(func(t *testing.T, route uint8, id, query, mediaType string, body []byte) {
		row := rows[int(route)%len(rows)]
		if row.time == 0 || row.id == "getMetrics" || strings.Contains(row.path, "tokens") {
			return // streams have tests of their own, metrics are slow, and these tokens cannot be changed
		}
		u := &url.URL{Path: "/x", RawQuery: query}
		at := row.path
		for _, m := range parameter().FindAllString(row.path, -1) {
			at = strings.ReplaceAll(at, m, url.PathEscape(id))
		}
		r := httptest.NewRequestWithContext(t.Context(), row.method, "/", bytes.NewReader(body))
		if u.Path, u.RawPath = "", at; u.RawPath != "" {
			path, err := url.PathUnescape(at)
			if err != nil {
				return
			}
			u.Path = path
		}
		r.URL = u
		r.Header.Set("Authorization", "Bearer teacher")
		r.Header.Set("Content-Type", mediaType)
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		kind := rec.Header().Get("Content-Type")
		switch {
		case rec.Code >= 500 && rec.Code != http.StatusNotImplemented:
			t.Fatalf("%s %s?%s %q %q: %d %s", row.method, at, query, mediaType, body, rec.Code, rec.Body)
		case rec.Code >= 400 && kind != problemJSON && row.tag != "judge0":
			t.Fatalf("%s %s?%s %q %q: %d %s %s", row.method, at, query, mediaType, body, rec.Code, kind, rec.Body)
		}
	})
}
