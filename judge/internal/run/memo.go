package run

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Memo keeps in a cache what runs came to, under the hash of everything that can
// change it: the program, its arguments and environment, the input and files, the limits, what
// enforces them, this judge, and the CPU and kernel of this machine. What the output
// is compared with is no part of it.
//
// Only what would come out the same again is told: no failure of the judge, nothing
// that was stopped from outside, and a run that is doubtful, or whose memory came within a
// fifth of the limit, only once another has come to the same. Nor are outputs over a MiB
// kept. A cache that cannot be read or written costs runs and is no error.
//
// A Memo is safe for concurrent use. What it learns during an [Each] is in the cache
// when that returns.
type Memo struct {
	// Fresh takes nothing: what is known is forgotten, and what the runs come to now
	// takes its place. It must not be changed during an Each.
	Fresh bool

	// Confirm runs at once again what is not certain, so that it need not be run the next
	// time. It must not be changed during an Each.
	Confirm bool

	cache      *cache.Cache
	mechanisms string

	mu      sync.Mutex
	batches []*batch // those in use, the last one latest
}

// NewMemo returns a memo of runs on a host with these mechanisms.
func NewMemo(c *cache.Cache, m sandbox.Mechanisms) *Memo {
	return &Memo{cache: c, mechanisms: fmt.Sprintf("%+v", m)}
}

// maxOutput is the largest output that is kept.
const maxOutput = 1 << 20

// key returns the key of all that a job has in common with others of its program and
// limits, which is all but the input and the environment that is the job's own; ""
// when something about it cannot be known.
func (m *Memo) key(job Job, grace time.Duration) cache.Key {
	here := machine()
	if here == "" {
		return ""
	}
	h := cache.NewHasher("runs 2")
	h.Text(here, m.mechanisms, fmt.Sprintf("%+v %v", job.Limits, grace), string(job.Program.Key))
	// The program's key does not tell how it is started.
	cmd := job.Program.Command(sandbox.Anywhere, job.Limits, job.Args...)
	for _, list := range [][]string{cmd.Args, cmd.Env} {
		h.Text(fmt.Sprint(len(list)))
		h.Text(list...)
	}
	return h.Key()
}

// inputKey returns the key of what a job has of its own: its input, its files, and its
// environment, which has room here since a program of many variants is told by it
// which to be.
// It is "" for an input that cannot be read.
func inputKey(job Job) cache.Key {
	h := cache.NewHasher("input of a run")
	if err := h.Content(job.Input); err != nil {
		return ""
	}
	h.Text(job.Env...)
	if len(job.Files) > 0 {
		h.Text("files")
		for _, name := range slices.Sorted(maps.Keys(job.Files)) {
			h.Text(name)
			h.Bytes(job.Files[name])
		}
	}
	return h.Key()
}

// A recorder is what a memo has to do with one job: it stands between the program and
// whoever wants the output.
type recorder struct {
	memo       *Memo
	key, input cache.Key
	to         Sink // may be nil
	output     bytes.Buffer
	over       bool // output lacks something
}

// record prepares for a run of the job and gets its output from then on.
func (m *Memo) record(job *Job, grace time.Duration) *recorder {
	n := &recorder{memo: m, key: m.key(*job, grace), input: inputKey(*job), to: job.Stdout}
	if n.input == "" {
		n.key = ""
	}
	job.Stdout = n
	return n
}

// Write passes the output on, and remembers it as long as it is small enough.
func (n *recorder) Write(p []byte) (int, error) {
	if n.over = n.over || n.output.Len()+len(p) > maxOutput; n.over {
		n.output = bytes.Buffer{}
	} else {
		n.output.Write(p)
	}
	if n.to == nil {
		return len(p), nil
	}
	return n.to.Write(p)
}

// Reset forgets the output, and has whoever wants it do so.
func (n *recorder) Reset() {
	n.output, n.over = bytes.Buffer{}, false
	if n.to != nil {
		n.to.Reset()
	}
}

// take returns what the job came to earlier, and writes its output to whoever wants
// it.
func (n *recorder) take() (Outcome, bool) {
	if n.key == "" {
		return Outcome{}, false
	}
	if n.memo.Fresh {
		n.memo.forget(n.key, n.input)
		return Outcome{}, false
	}
	r, known := n.memo.find(n.key, n.input)
	if !known || r.Once {
		return Outcome{}, false
	}
	if n.to != nil {
		if _, err := n.to.Write(r.Output); err != nil {
			return Outcome{Err: err}, true
		}
	}
	return Outcome{Reply: runner.Reply{Result: r.Result, Stderr: r.Stderr, Truncated: r.Truncated}, Cached: true}, true
}

// keep remembers the outcome of a run. It reports whether another run has to come to the
// same before that is told.
func (n *recorder) keep(o Outcome, l limits.Limits, grace time.Duration) (once bool) {
	if n.key == "" || n.over || o.Err != nil || o.Stop == sandbox.Cancelled {
		return false
	}
	r := record{Input: n.input, Result: o.Result, Stderr: o.Stderr, Truncated: o.Truncated, Output: n.output.Bytes()}
	if !certain(o, l, grace) {
		before, known := n.memo.find(n.key, n.input)
		r.Once = Starved(l, grace, o.Result) || !known || !alike(before, r, l)
	}
	n.memo.add(n.key, r)
	return r.Once
}

// alike reports whether two runs came to the same, as far as a verdict can depend on it.
func alike(a, b record, l limits.Limits) bool {
	kind := func(r record) string {
		over := func(limit, used time.Duration) bool { return limit > 0 && used > limit }
		return fmt.Sprint(r.Result.Stop, r.Result.ExitCode, r.Result.Signal, over(l.CPU, r.Result.CPU), over(l.Wall, r.Result.Counted()))
	}
	return kind(a) == kind(b) && bytes.Equal(a.Output, b.Output)
}

// certain reports whether a run would come to the same if it were repeated. One that
// ran out of memory may have wanted little more than there was: nobody knows.
func certain(o Outcome, l limits.Limits, grace time.Duration) bool {
	return !Doubtful(l, grace, o.Result) && !near(l.Memory, o.Memory)
}
