package ledger

import (
	"time"

	"tribunal/judge/judged/internal/store"
)

// Status says how far a judging has come.
type Status string

// The statuses. Only waiting ones change by themselves.
const (
	Waiting Status = "waiting" // for a worker, or for its result
	Done    Status = "done"
	Held    Status = "held" // the judge failed, see [Failed]
	Dropped Status = "cancelled"
)

// Submission is the state of a submission. Readers copy it; it never changes once readers can see it.
type Submission struct {
	ID        string
	Sequence  uint64 // of its last record, which the next event must name
	Submitter string
	Problem   string
	Name      string
	Language  string
	Run       bool // it is run, not judged
	Request   string
	At        time.Time
	Deadline  time.Time
	First     uint64      // the sequence of its first record, which holds the source
	Judgings  []Judging   // by number, from 1
	Effective int         // the number of the judging that counts
	Ruling    *Ruling     // that counts instead of any judging; nil if there is none
	Blobs     []store.Ref // what it has in the store of blobs, because it is large
	Erased    bool
}

// Late reports whether a judging has missed the deadline by which it had to begin. Deadlines apply only to the
// first attempt of the first judging, not after a release and not to rejudgings.
func (s *Submission) Late(j *Judging, now time.Time) bool {
	return !s.Deadline.IsZero() && now.After(s.Deadline) && j.Batch == "" && j.Attempt == 1 && j.Parts == nil
}

// Judging is the state of one judging of a submission.
type Judging struct {
	Number   int
	Version  string // of the problem
	Priority Priority
	Batch    string // of rejudgings; "" for the first judging
	Status   Status
	Attempt  int // from 1; every failure adds one
	Series   int // the attempt before the first of this series; a release begins a new series
	Parts    []Range
	Results  []PartResult // of the parts, by index; nil unless it is split
	Summary  *Summary     // of a judging that is done
	Result   uint64       // the sequence of the record with its result
	Error    string       // of the last failure; of a cancelled one, the reason
	Worker   string       // that gave the result
	Since    time.Time    // when it began to wait; it waits still, or has waited until Until
	Until    time.Time
}

// PartResult is the result of a part of a judging. Its Ref is zero until there is one.
type PartResult struct {
	Ref     store.Ref
	Decides bool
}

func (s *Submission) Counts() *Judging {
	if s.Effective < 1 || s.Effective > len(s.Judgings) {
		return nil
	}
	return &s.Judgings[s.Effective-1]
}

// Judging returns the judging with a number, or nil.
func (s *Submission) Judging(number int) *Judging {
	if number < 1 || number > len(s.Judgings) {
		return nil
	}
	return &s.Judgings[number-1]
}

// Complete reports whether all parts of a split judging that matter have results: all of them, or those up to the
// first that decides. It returns how many they are.
func (j *Judging) Complete() (n int, ok bool) {
	for i, r := range j.Results {
		if r.Ref.Hash == "" {
			return i, false
		}
		if r.Decides {
			return i + 1, true
		}
	}
	return len(j.Results), len(j.Results) > 0
}

// Decided returns the index of the first part that decides, or that of the last part.
func (j *Judging) Decided() int {
	for i, r := range j.Results {
		if r.Decides {
			return i
		}
	}
	return len(j.Results) - 1
}

// Version is the state of a version of a problem.
type Version struct {
	Problem  string
	ID       string // the hash of its archive
	Sequence uint64 // of its last record
	First    uint64 // of the record by which it was uploaded last
	Title    string
	Archive  store.Ref
	By       string
	At       time.Time
	Quick    bool
	Checked  bool
	Usable   bool
	Failed   bool // the judge could not check it
	Failures int  // of the judge, until it is checked
	Cases    int
	Findings []string
	Shown    *Shown        // nil until it is checked, and if an older build has checked it
	Page     *store.Ref    // of its statement; nil if there is none
	Cost     time.Duration // a moving average of what a judging takes, 0 if unknown
}

// Rejudging is the state of a batch of rejudgings.
type Rejudging struct {
	ID       string
	Sequence uint64 // 0 until it is applied
	By       string
	At       time.Time
	Members  []Member
	Applied  bool
}

// Member is a judging in a batch.
type Member struct {
	Submission string
	Judging    int
}

// Outcome returns the outcome of a submission that counts, false if there is none yet: that of a ruling, or that of
// the judging that counts.
func (s *Submission) Outcome() (Summary, bool) {
	var o Summary
	j := s.Counts()
	done := j != nil && j.Summary != nil
	if done {
		o = *j.Summary
	}
	if s.Ruling == nil {
		return o, done
	}
	o.Verdict, o.Points, o.First, o.Cause = s.Ruling.Verdict, nil, "", s.Ruling.Reason
	if s.Ruling.Points > 0 {
		o.Points = &s.Ruling.Points
	}
	return o, true
}
