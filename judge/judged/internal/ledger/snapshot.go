package ledger

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"maps"
)

// snapshotVersion changes with the form of a snapshot and with the rules of the fold. A snapshot of another version
// is not read: the state is then computed from the first record on.
const snapshotVersion = "tribunal ledger snapshot 6\n"

// snapshot is the content of a snapshot. It follows the version and a checksum, compressed.
type snapshot struct {
	Fold *Fold
	Zero []Member // the judgings with 0 points, which gob does not distinguish from none
}

// Clone returns a copy, which does not change when records are added to f. It takes much less time than
// Snapshot.
func (f *Fold) Clone() *Fold {
	c := *f
	c.Submissions, c.Newest = maps.Clone(f.Submissions), maps.Clone(f.Newest) // submissions and versions never change
	c.Versions, c.Batches = map[string]map[string]*Version{}, map[string]*Rejudging{}
	for id, versions := range f.Versions {
		c.Versions[id] = maps.Clone(versions)
	}
	for id, b := range f.Batches {
		batch := *b
		c.Batches[id] = &batch
	}
	c.Courses, c.People, c.Questions = maps.Clone(f.Courses), cloneEach(f.People), cloneEach(f.Questions)
	return &c
}

func cloneEach[T any](of map[string]map[string]T) map[string]map[string]T {
	c := make(map[string]map[string]T, len(of))
	for id, each := range of {
		c[id] = maps.Clone(each)
	}
	return c
}

// Snapshot returns the state in a form that [Restore] reads.
func (f *Fold) Snapshot() ([]byte, error) {
	s := snapshot{Fold: f}
	for id, sub := range f.Submissions {
		for _, j := range sub.Judgings {
			if j.Summary != nil && j.Summary.Points != nil && *j.Summary.Points == 0 {
				s.Zero = append(s.Zero, Member{id, j.Number})
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(snapshotVersion)
	b.Write(make([]byte, sha256.Size))
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(z).Encode(s); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	sum, rest := split(b.Bytes())
	*sum = sha256.Sum256(rest)
	return b.Bytes(), nil
}

// split returns the checksum of a snapshot and the bytes that it covers.
func split(data []byte) (sum *[sha256.Size]byte, rest []byte) {
	data = data[len(snapshotVersion):]
	return (*[sha256.Size]byte)(data), data[sha256.Size:]
}

// Restore returns the state of a snapshot. After an error, begin with [NewFold] instead. It decodes only data whose
// checksum is right, because gob may take any amount of memory for damaged data.
func Restore(data []byte) (*Fold, error) {
	if !bytes.HasPrefix(data, []byte(snapshotVersion)) {
		return nil, errors.New("a snapshot of another version")
	}
	if len(data) < len(snapshotVersion)+sha256.Size {
		return nil, errors.New("damaged snapshot: it ends early")
	}
	sum, rest := split(data)
	if *sum != sha256.Sum256(rest) {
		return nil, errors.New("damaged snapshot: it does not have its checksum")
	}
	z, err := gzip.NewReader(bytes.NewReader(rest))
	if err != nil {
		return nil, fmt.Errorf("damaged snapshot: %w", err)
	}
	s := snapshot{Fold: NewFold()}
	if err := gob.NewDecoder(z).Decode(&s); err != nil {
		return nil, fmt.Errorf("damaged snapshot: %w", err)
	}
	for id, sub := range s.Fold.Submissions {
		if !sub.Erased && sub.Counts() == nil { // gob leaves out what has another name, without an error
			return nil, fmt.Errorf("damaged snapshot: submission %s has no judging that counts", id)
		}
	}
	for _, m := range s.Zero {
		sub := s.Fold.Submissions[m.Submission]
		if sub == nil || sub.Judging(m.Judging) == nil || sub.Judging(m.Judging).Summary == nil {
			return nil, fmt.Errorf("damaged snapshot: it has points of %s/%d, which it has not", m.Submission, m.Judging)
		}
		sub.Judging(m.Judging).Summary.Points = new(float64)
	}
	return s.Fold, nil
}
