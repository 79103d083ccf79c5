// Package journal keeps the events of judged submissions in a file, so that judging can go on after
// it was interrupted.
//
// Begin with [Open]. lines.go has the file, also for lines of other kinds; resume.go joins what the
// journal knows with what is judged now.
package journal

import (
	"encoding/json"
	"errors"
	"sync"

	"tribunal/judge/internal/grade"
)

// Schema names the form of the lines of a journal: the first is a [document.Head], each other an
// [Entry]. The name changes if a field is dropped or changes its meaning.
const Schema = "tribunal/journal/1"

var kind = Kind{Schema: Schema, Name: "a journal"}

// Entry is a judged submission: all of its events.
type Entry struct {
	Key        string      `json:"key"` // identifies everything on which the result depends
	Problem    string      `json:"problem"`
	Submission string      `json:"submission"` // as the caller named it
	Built      grade.Built `json:"built"`
	Cases      []Case      `json:"cases"` // in the order of their events
	Done       grade.Done  `json:"done"`
}

// Case is the event of a case with its index.
type Case struct {
	Index int `json:"index"`
	grade.Case
}

// Journal is an open journal. It is safe for concurrent use.
type Journal struct {
	mu      sync.Mutex
	lines   *Lines
	entries map[string]*Entry
	newest  map[name]string // the key of the last entry of each submission
}

type name struct{ problem, submission string }

// Open opens the journal in a file, which it makes if there is none. If the file holds something,
// resume must be set: then the journal has its entries, and goes on after the last whole line. No
// other process can open the journal meanwhile. The error is a [*yamlstrict.Error] if the user is to blame.
// The caller closes the journal.
func Open(file string, resume bool) (*Journal, error) {
	j := &Journal{entries: map[string]*Entry{}, newest: map[name]string{}}
	var err error
	j.lines, err = kind.Open(file, resume, entries(j.know))
	if err != nil {
		return nil, err
	}
	return j, nil
}

// Read calls each with the entries of the journal in a file, in their order, and ignores a last line
// that is not whole. Its errors are as of [Open].
func Read(name string, each func(*Entry)) error {
	return kind.Read(name, "name a journal of judge grade --journal", entries(each))
}

// entries returns a function that calls each with the entry in a line.
func entries(each func(*Entry)) func(line []byte) error {
	return func(line []byte) error {
		e := &Entry{}
		if err := json.Unmarshal(line, e); err != nil || e.Key == "" {
			return errNoEntry
		}
		each(e)
		return nil
	}
}

var errNoEntry = errors.New("not an entry")

// Cut reports whether the journal ended in the middle of a line, which has been dropped.
func (j *Journal) Cut() bool { return j.lines.Cut() }

// Find returns the entry with this key, or nil.
func (j *Journal) Find(key string) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries[key]
}

func (j *Journal) Size() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.entries)
}

// Add adds an entry, which is on disk when Add returns. If that fails, the journal is as before.
func (j *Journal) Add(e *Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.lines.Append(e); err != nil {
		return err
	}
	j.know(e)
	return nil
}

func (j *Journal) know(e *Entry) {
	j.entries[e.Key] = e
	j.newest[name{e.Problem, e.Submission}] = e.Key
}

// renew adds an entry again if it is not the last one of its submission in the journal: readers use the last one.
func (j *Journal) renew(e Entry, problem, submission string) error {
	j.mu.Lock()
	same := j.newest[name{problem, submission}] == e.Key
	j.mu.Unlock()
	if same {
		return nil
	}
	e.Problem, e.Submission = problem, submission
	return j.Add(&e)
}

// Close closes the file, which other processes can open then.
func (j *Journal) Close() error { return j.lines.Close() }
