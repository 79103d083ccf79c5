package eval

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/verdict"
)

// Results is the file of the results of an evaluation, which can go on after an interrupt: each result
// is a line as soon as it is known. It is not safe for concurrent use.
type Results struct {
	name   string
	lines  *journal.Lines
	known  map[[16]byte]knownResult // by the hash of task and program
	synced time.Time
}

// knownResult is the part of an earlier result that stays in memory.
type knownResult struct {
	key     [16]byte // the hash of the key
	verdict verdict.Verdict
}

var resultsKind = journal.Kind{Schema: Schema, Name: "a file of results"}

var errNoResult = errors.New("not a result")

// OpenResults opens the results in a file, which it makes if there is none. If the file holds results,
// resume must be set: then they are known, and others follow. The error is a [*yamlstrict.Error] if the
// user is to blame. The caller closes the results.
func OpenResults(name string, resume bool) (*Results, error) {
	r := &Results{name: name, known: map[[16]byte]knownResult{}}
	var err error
	r.lines, err = resultsKind.Open(name, resume, func(line []byte) error {
		var l struct {
			Task, Program string
			Verdict       verdict.Verdict
			Key           cache.Key
			PassAt        embedded `json:"pass_at"`
		}
		switch err := json.Unmarshal(line, &l); {
		case err != nil:
			return err
		case l.PassAt != nil:
			return journal.ErrEnd
		case l.Task == "" || l.Verdict == verdict.None:
			return errNoResult
		}
		r.known[hashOf(l.Task, l.Program)] = knownResult{hashOf(string(l.Key), ""), l.Verdict}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func hashOf(a, b string) [16]byte {
	sum := sha256.Sum256([]byte(a + "\x00" + b))
	return [16]byte(sum[:16])
}

// Known returns the verdict of an earlier result of a program, and None if there is none. It is an error
// if that has another key.
func (r *Results) Known(task, program string, key cache.Key) (verdict.Verdict, error) {
	k, known := r.known[hashOf(task, program)]
	if !known {
		return verdict.None, nil
	}
	if k.key != hashOf(string(key), "") {
		e := located(r.name, 0, task, "name another file, or remove this one", "program %s: has a result for another source, other tests or other limits", program)
		return verdict.None, e
	}
	return k.verdict, nil
}

// Size returns the number of programs with results.
func (r *Results) Size() int { return len(r.known) }

// Cut reports whether the file ended in the middle of a line, which has been dropped.
func (r *Results) Cut() bool { return r.lines.Cut() }

// Judge returns the build of the judge that began the file.
func (r *Results) Judge() string { return r.lines.Judge() }

// Add writes a result. After a second at most, with the next result or when the file is closed, it is on
// disk.
func (r *Results) Add(result *Result) error {
	write := r.lines.AppendSoon
	if now := time.Now(); now.Sub(r.synced) > time.Second {
		write, r.synced = r.lines.Append, now
	}
	err := write(result)
	if err == nil {
		r.known[hashOf(result.Task, result.Program)] = knownResult{hashOf(string(result.Key), ""), result.Verdict}
	}
	return err
}

// End writes the summary, which closes the file: [OpenResults] drops it if it goes on.
func (r *Results) End(s *Summary) error {
	return r.lines.Append(s)
}

// Close closes the file, and removes it if there was none before and nothing was written.
func (r *Results) Close() error { return r.lines.Close() }
