// Package listen writes the problems that a browser extension posts as problem packages.
//
// The extension is Competitive Companion, or another that posts the same: the samples and limits of
// the problem that the browser shows, as JSON, to a port of this machine. Other programs and web pages
// can post there too, so nothing in a post is trusted: see [Server.ServeHTTP].
package listen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// The bounds of a post.
const (
	maxBody  = 16 << 20 // bytes
	maxTests = 1000
	maxName  = 60 // bytes in the name of a folder
)

// Post is a problem as the extension posts it. Other fields are ignored.
type Post struct {
	Name        string  `json:"name"`
	Group       string  `json:"group"` // the site and the contest
	URL         string  `json:"url"`
	Interactive bool    `json:"interactive"`
	TimeLimit   float64 `json:"timeLimit"`   // in ms; 0 for none
	MemoryLimit float64 `json:"memoryLimit"` // in MiB; 0 for none
	Tests       []Test  `json:"tests"`
	Input       Stream  `json:"input"`
	Output      Stream  `json:"output"`
	Batch       Batch   `json:"batch"`
}

// Test is a sample.
type Test struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// Stream says from where a submission reads, or to where it writes.
type Stream struct {
	Type     string `json:"type"` // stdin, stdout, file or regex
	FileName string `json:"fileName"`
	Pattern  string `json:"pattern"` // with regex: of the name of the file
}

// Batch is the contest with which a problem was posted.
type Batch struct {
	ID   string `json:"id"`
	Size int    `json:"size"` // number of its problems; each is a post of its own
}

// Saved reports a problem that was written, or was there already.
type Saved struct {
	Folder  string // the path of the package
	Source  string // the path of the file to begin with; "" if the server adds none
	Again   bool   // an earlier post had the same content
	Samples int
	URL     string
	Notes   []string // what the package cannot say
	Last    bool     // all problems of its batch have been posted
}

// Server is a handler of posts that writes packages. Its fields must not be changed while it serves.
type Server struct {
	Dir  string        // the folder for the packages; it must exist
	Port int           // the port that it serves
	Done func(s Saved) // is called after each problem that is saved, one call at a time
	Fail func(err error)
	Last func() // is called after the last problem of a batch of which at least one was saved; may be nil

	Source func() (Source, error) // what to add to each package; nil adds nothing

	mu      sync.Mutex
	batches map[string]counted // the unfinished ones
}

// counted is how many problems of a batch have been posted.
type counted struct{ posted, saved int }

// ServeHTTP writes the package of a posted problem.
//
// It refuses requests from other machines, and those that a browser makes for a web page. These have
// the page's origin, or another host if the page had its own name point to this machine (DNS
// rebinding). The answer to a refused request says why, in one line.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, err := s.serve(w, r)
	if err != nil {
		if s.Fail != nil {
			s.mu.Lock()
			s.Fail(err)
			s.mu.Unlock()
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.WriteHeader(status)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) (status int, err error) {
	if err := s.allowed(r); err != nil {
		return http.StatusForbidden, err
	}
	if r.URL.Path != "/" {
		return http.StatusNotFound, errors.New("problems are posted to /")
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return http.StatusMethodNotAllowed, fmt.Errorf("%.20q: problems are posted", r.Method)
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return http.StatusUnsupportedMediaType, errors.New("problems are posted as application/json")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return http.StatusRequestEntityTooLarge, fmt.Errorf("a problem of more than %d bytes", maxBody)
	}
	if err != nil {
		return http.StatusBadRequest, fmt.Errorf("the post ends early: %w", err)
	}
	var p Post
	if err := json.Unmarshal(body, &p); err != nil {
		return http.StatusBadRequest, fmt.Errorf("not a problem: %s", strings.Replace(err.Error(), "Go value of type listen.Post", "a problem", 1))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	saved, status, err := s.save(&p)
	last := s.last(p.Batch, err == nil)
	defer func() {
		if last && s.Last != nil {
			s.Last()
		}
	}()
	if err != nil {
		return status, err
	}
	if s.Source != nil {
		source, err := s.Source()
		if err == nil {
			saved.Source, err = source.add(saved.Folder)
		}
		if err != nil {
			return http.StatusInternalServerError, err
		}
	}
	if s.Done != nil {
		s.Done(saved)
	}
	return http.StatusOK, nil
}

// allowed returns an error unless a request comes from this machine, and not for a web page.
func (s *Server) allowed(r *http.Request) error {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(address); err != nil || ip == nil || !ip.IsLoopback() {
		return errors.New("the request is from another machine")
	}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, strings.ToLower(host)) || port != fmt.Sprint(s.Port) {
		return fmt.Errorf("the request is for the host %.80q, which is not this one", r.Host)
	}
	// Every browser names the origin of a post. Only pages of web sites can be hostile: who installs an
	// extension trusts it.
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || !strings.HasSuffix(u.Scheme, "-extension") {
			return fmt.Errorf("the request is from the page %.80q, not from an extension", origin)
		}
	}
	return nil
}

// maxBatches bounds the batches that are remembered.
const maxBatches = 100

// last counts a problem of a batch, and reports whether it was the last, and any of them was saved.
func (s *Server) last(b Batch, saved bool) bool {
	if b.Size <= 1 || b.ID == "" {
		return saved
	}
	if s.batches == nil || len(s.batches) >= maxBatches {
		s.batches = map[string]counted{}
	}
	n := s.batches[b.ID]
	if n.posted++; saved {
		n.saved++
	}
	if s.batches[b.ID] = n; n.posted < b.Size {
		return false
	}
	delete(s.batches, b.ID)
	return n.saved > 0
}
