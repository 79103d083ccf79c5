package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Memo keeps outcomes of runs in a cache, under the hash of everything that can influence them: the program, its
// arguments and environment, the modules that its interpreter finds, those of its interactor, the input and files,
// the limits, the mechanisms that enforce these, this judge, and the CPU and kernel of this machine. The expected
// output is not part of it, unless the program reads it.
//
// A memo reports only outcomes that another run would repeat. It records no failures of the judge,
// cancelled runs, or outputs and files over 1 MiB. A doubtful run, or one whose memory came within a
// fifth of the limit, is uncertain, and reported only after a second run had the same outcome;
// [Memo].Edges and [Memo].Strict make exceptions. If the cache cannot be read or written, jobs run as
// if there were no memo, without an error.
//
// A Memo is safe for concurrent use. Outcomes recorded during an [Each] are in the cache when it
// returns, all others after [Memo.Flush].
type Memo struct {
	// Fresh runs everything and replaces the recorded outcomes. It must not be changed during an
	// Each.
	Fresh bool

	// Confirm repeats an uncertain run at once, so that its outcome can be reported the next time.
	// It must not be changed during an Each.
	Confirm bool

	// Edges reports runs that are uncertain only because their times are near a limit, as they were
	// measured. The caller must not trust which side of the limit they are on. Runs that were
	// [Starved] are still not reported. It must not be changed during an Each.
	Edges bool

	// Strict reports no run whose times or memory came near a limit, however many runs had the same
	// outcome, nor one that was stopped there. It must not be changed during an Each.
	Strict bool

	cache      *cache.Cache
	mechanisms string

	mu      sync.Mutex
	batches []*batch // in memory, least recently used first
}

// NewMemo returns a memo of runs on a host with the mechanisms m.
func NewMemo(c *cache.Cache, m sandbox.Mechanisms) *Memo {
	return &Memo{cache: c, mechanisms: fmt.Sprintf("%+v", m)}
}

// maxOutput is the largest output that is recorded, in bytes.
const maxOutput = 1 << 20

// key returns the key of a job's batch. It covers every field of the job that is not set to zero here, which is all
// but its own input, files and environment. It is "" if the machine cannot be identified.
func (m *Memo) key(job Job, grace time.Duration) cache.Key {
	here := machine()
	if here == "" {
		return ""
	}
	h := cache.NewHasher("runs 3")
	h.Text(here, m.mechanisms, grace.String())
	hashProgram(h, job.Program, job.Limits, job.Args)
	job.Program, job.Input, job.Env, job.Files, job.In = nil, content.Content{}, nil, nil, nil
	job.Stdout, job.Exclusive, job.Known, job.Starving = nil, false, false, false // they change no outcome that is recorded
	if p := job.Interactor; p != nil {
		hashProgram(h, p.Program, p.Limits, p.Args)
		talk := *p
		talk.Program, talk.In = nil, nil
		job.Interactor = &talk
	}
	if h.Value(job) != nil {
		return ""
	}
	return h.Key()
}

// hashProgram adds a program. Its key covers neither the command that starts it nor what is installed here.
func hashProgram(h *cache.Hasher, p *build.Program, l limits.Limits, args []string) {
	command, env := p.CommandLine(sandbox.Anywhere, l, args...)
	h.Text(string(p.Key), string(p.Installed()), fmt.Sprint(len(command)))
	h.Text(command...)
	h.Text(env...)
}

// inputKey returns the key of a job's own input, files and environment. The environment belongs
// here because it selects the variant of a program that has many, such as mutants. The key is ""
// if the input cannot be read.
func inputKey(job Job) cache.Key {
	h := cache.NewHasher("input of a run")
	var talk []runner.File
	if job.Interactor != nil {
		talk = job.Interactor.In
	}
	if h.Value(job.Input, job.Env, job.Files, job.In, talk) != nil {
		return ""
	}
	return h.Key()
}

// A recorder looks up and records the outcome of one job. It is the job's Stdout and passes the
// output on.
type recorder struct {
	memo       *Memo
	limits     limits.Limits
	grace      time.Duration
	alone      bool // the job is exclusive
	key, input cache.Key
	to         Sink // may be nil
	out        []runner.CopyOut
	interactor *Interactor
	output     bytes.Buffer
	over       bool // the output exceeds maxOutput and is not recorded
}

// record returns a recorder and makes it the Stdout of the job.
func (m *Memo) record(job *Job, grace time.Duration) *recorder {
	n := &recorder{memo: m, limits: job.Limits, grace: grace, alone: job.Exclusive, key: m.key(*job, grace), input: inputKey(*job), to: job.Stdout, out: job.Out, interactor: job.Interactor}
	if n.input == "" {
		n.key = ""
	}
	if job.Interactor == nil {
		job.Stdout = n
	}
	return n
}

// Write passes the output on, and keeps it unless it is too large.
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

// Reset drops the output, here and in the sink that gets it.
func (n *recorder) Reset() {
	n.output, n.over = bytes.Buffer{}, false
	if n.to != nil {
		n.to.Reset()
	}
}

// recall is [Pool.Recall], which calls missing before it runs a job that the memo does not know.
func (p *Pool) recall(ctx context.Context, job Job, memo *Memo, missing func()) Outcome {
	record := memo.record(&job, p.grace)
	if !job.Exclusive || job.Known {
		if o, known := record.lookUp(); known {
			return o
		}
		missing()
	}
	if ctx.Err() != nil {
		return cancelled
	}
	o := p.Run(ctx, job)
	once := record.save(o)
	if once && memo.Confirm && !job.Exclusive && !Starved(job.Limits, p.grace, o.Result) {
		job.Stdout = nil
		record = memo.record(&job, p.grace)
		again := p.Run(ctx, job)
		record.save(again)
		again.close()
	}
	return o
}

// Recall is [Pool.Run] with a memo, which is consulted first. On a hit nothing runs, no CPU is
// claimed, and Stdout gets the recorded output; otherwise the memo records the outcome. An
// exclusive job always runs, unless it is [Job].Known. The memo may be nil, and is ignored for a job
// that copies out a folder, or with an interactor that does, has a Transcript or has no Answers.
func (p *Pool) Recall(ctx context.Context, job Job, memo *Memo) Outcome {
	if !memo.takes(&job) {
		return p.Run(ctx, job)
	}
	return p.recall(ctx, job, memo, func() {})
}

// takes reports whether m can record the outcome of a job. It is false if m is nil.
func (m *Memo) takes(job *Job) bool {
	out := job.Out
	if p := job.Interactor; p != nil {
		if p.Transcript > 0 || len(p.Answers) == 0 {
			return false
		}
		out = p.Out
	}
	return m != nil && !slices.ContainsFunc(out, func(out runner.CopyOut) bool { return out.Files > 0 })
}

// lookUp returns the recorded outcome of the job, if there is one, and passes its output on.
func (n *recorder) lookUp() (Outcome, bool) {
	if n.key == "" {
		return Outcome{}, false
	}
	if n.memo.Fresh {
		n.memo.forget(n.key, n.input)
		return Outcome{}, false
	}
	r, known := n.memo.find(n.key, n.input)
	if !known || n.alone && !r.Alone || !n.reports(r) {
		return Outcome{}, false
	}
	if n.to != nil {
		if _, err := n.to.Write(r.Output); err != nil {
			return Outcome{Err: err}, true
		}
	}
	o := Outcome{Reply: runner.Reply{Result: r.Result, Stderr: r.Stderr, Truncated: r.Truncated, Interaction: r.Talk.interaction()}, Cached: true}
	for name, text := range r.Copies {
		o.Copies.Put(name, runner.Copy{Content: content.Of(text)})
	}
	return o, true
}

// reports reports whether the memo reports the outcome of a record.
func (n *recorder) reports(r record) bool {
	if n.memo.Strict {
		l, used := n.limits, r.Result
		return !r.Once && !r.Race && !limits.Near(l.CPU, used.CPU) && !limits.Near(l.Wall, used.Counted()) && !limits.Near(l.Memory, used.Memory)
	}
	return !r.Once || n.memo.Edges && !r.Race && !Starved(n.limits, n.grace, r.Result) && !limits.Near(n.limits.Memory, r.Result.Memory)
}

// save records the outcome of a run. It reports whether another run must have the same outcome
// before the memo reports it.
func (n *recorder) save(o Outcome) (once bool) {
	decided := o.Interaction != nil && o.Interaction.Decided // the interactor stopped it
	if n.key == "" || n.over || o.Err != nil || o.Stop == sandbox.Cancelled && !decided {
		return false
	}
	copies, ok := texts(n.out, &o.Copies, n.output.Len())
	if !ok {
		return false
	}
	l := n.limits
	r := record{Input: n.input, Alone: n.alone, Result: o.Result, Stderr: o.Stderr, Truncated: o.Truncated, Output: n.output.Bytes(), Copies: copies}
	if n.interactor != nil {
		if r.Talk = talkOf(o, n.interactor); r.Talk == nil {
			return false
		}
		r.Race = r.Talk.racing(r.Result, n.interactor, n.grace)
	}
	if r.Race || !certain(o, l, n.grace) {
		before, known := n.memo.find(n.key, n.input)
		r.Once = Starved(l, n.grace, o.Result) || !known || !alike(before, r, l)
	}
	n.memo.add(n.key, r)
	return !n.reports(r)
}

// texts returns the texts of the files that were copied out, beside an output of a size. It reports
// false if they cannot be recorded, because they are too large or because copying failed.
func texts(list []runner.CopyOut, copies *runner.Copies, output int) (map[string][]byte, bool) {
	var texts map[string][]byte
	size := int64(output)
	for _, out := range list {
		copied := copies.Get(out.Name)
		if errors.Is(copied.Err, fs.ErrNotExist) {
			continue
		}
		if size += copied.Content.Size(); copied.Err != nil || size > maxOutput {
			return nil, false
		}
		text, err := copied.Content.Bytes()
		if err != nil {
			return nil, false
		}
		if texts == nil {
			texts = map[string][]byte{}
		}
		texts[out.Name] = bytes.Clone(text)
	}
	return texts, true
}

// alike reports whether two outcomes agree in everything on which a verdict can depend.
func alike(a, b record, l limits.Limits) bool {
	kind := func(r record) string {
		over := func(limit, used time.Duration) bool { return limit > 0 && used > limit }
		return fmt.Sprint(r.Result.Stop, r.Result.ExitCode, r.Result.Signal, r.Talk.kind(), over(l.CPU, r.Result.CPU), over(l.Wall, r.Result.Counted()))
	}
	return kind(a) == kind(b) && bytes.Equal(a.Output, b.Output) && maps.EqualFunc(a.Copies, b.Copies, bytes.Equal)
}

// certain reports whether a repeated run would have the same outcome. A run near its memory limit
// is uncertain, because it may have needed only a little more or less, and so is one that was stopped at
// its wall limit, because it may have waited for memory or a disk of a busy host.
func certain(o Outcome, l limits.Limits, grace time.Duration) bool {
	return o.Stop != sandbox.OverWall && !Doubtful(l, grace, o.Result) && !limits.Near(l.Memory, o.Memory)
}
