// Package journal keeps the events of judged submissions in a file, so that judging can go on after
// it was interrupted.
//
// Begin with [Open]. resume.go joins what the journal knows with what is judged now.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/yamlstrict"
)

// Schema names the form of the lines of a journal: the first is a [document.Head], each other an
// [Entry]. The name changes if a field is dropped or changes its meaning.
const Schema = "tribunal/journal/1"

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
	name string
	file *os.File

	mu      sync.Mutex
	entries map[string]*Entry
	cut     bool
}

// Open opens the journal in a file, which it makes if there is none. If the file holds something,
// resume must be set: then the journal has its entries, and goes on after the last whole line. No
// other process can open the journal meanwhile. The error is a [*yamlstrict.Error] if the user is to blame.
// The caller closes the journal.
func Open(name string, resume bool) (*Journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, unusable(name, err, "name a file that can be written")
	}
	j := &Journal{name: name, file: f, entries: map[string]*Entry{}}
	if err := j.begin(resume); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// unusable returns err, from opening a journal, with a hint.
func unusable(name string, err error, hint string) error {
	e := yamlstrict.FileError(name, err)
	e.Hint = hint
	return e
}

func (j *Journal) begin(resume bool) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &yamlstrict.Error{File: j.name, Msg: "not a regular file", Hint: "name another one"}
	}
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return &yamlstrict.Error{File: j.name, Msg: "another judge writes to it", Hint: "wait for it, or name another file"}
		}
		return err
	}
	if info.Size() > 0 && !resume {
		return &yamlstrict.Error{File: j.name, Msg: "holds what an earlier judging has found", Hint: "--resume goes on with it; or name another file"}
	}
	end, err := read(j.name, j.file, func(e *Entry) { j.entries[e.Key] = e })
	if err != nil {
		return err
	}
	j.cut = end < info.Size()
	if err := j.file.Truncate(end); err != nil {
		return err
	}
	if _, err := j.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end == 0 {
		return j.append(document.NewHead(Schema))
	}
	return nil
}

// Read calls each with the entries of the journal in a file, in their order, and ignores a last line
// that is not whole. Its errors are as of [Open].
func Read(name string, each func(*Entry)) error {
	f, err := os.Open(name)
	if err != nil {
		return unusable(name, err, "name a journal of judge grade --journal")
	}
	defer f.Close()
	_, err = read(name, f, each)
	return err
}

// read reads the lines of a journal and returns where the last whole one ends.
func read(name string, from io.Reader, each func(*Entry)) (end int64, err error) {
	r := bufio.NewReader(from)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return end, nil // a line without its end was not written whole
		}
		if err != nil {
			return end, err
		}
		bad := func(msg string) error {
			return &yamlstrict.Error{File: name, Line: n, Msg: msg, Hint: "without this file, judging begins anew"}
		}
		if n == 1 {
			var head document.Head
			if err := json.Unmarshal(line, &head); err != nil || head.Schema == "" {
				return end, bad("not a journal")
			}
			if head.Schema != Schema {
				return end, bad(fmt.Sprintf("a journal of another version, %s instead of %s", head.Schema, Schema))
			}
		} else {
			e := &Entry{}
			if err := json.Unmarshal(line, e); err != nil || e.Key == "" {
				return end, bad("not an entry of a journal")
			}
			each(e)
		}
		end += int64(len(line))
	}
}

// Cut reports whether the journal ended in the middle of a line, which has been dropped.
func (j *Journal) Cut() bool { return j.cut }

// Find returns the entry with this key, or nil.
func (j *Journal) Find(key string) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries[key]
}

// Size returns the number of entries.
func (j *Journal) Size() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.entries)
}

// Add adds an entry, which is on disk when Add returns. If that fails, the journal is as before.
func (j *Journal) Add(e *Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.append(e); err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	j.entries[e.Key] = e
	return nil
}

func (j *Journal) append(v any) error {
	var line bytes.Buffer
	if err := document.Line(&line, v); err != nil {
		return err
	}
	at, err := j.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err = j.file.Write(line.Bytes()); err == nil {
		err = j.file.Sync()
	}
	if err != nil { // such as a full disk: what was written of the line must not stay
		_, back := j.file.Seek(at, io.SeekStart)
		return errors.Join(err, j.file.Truncate(at), back)
	}
	return nil
}

// Close closes the file, which other processes can open then.
func (j *Journal) Close() error { return j.file.Close() }
