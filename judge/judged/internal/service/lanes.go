package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// lane holds the workers with the same languages. They take their tasks from a lane of the queue, so that no worker
// gets a task that it cannot do and has to hand back.
type lane struct {
	name      string
	languages map[string]bool // nil: its workers do not say, and are asked to do everything
	queue     store.Queue     // nil: it could not be opened yet
	workers   int
	slots     int // of the ready workers
	capacity  int // how many tasks these perform at a time
	alive     bool
}

// unplaced is the lane of tasks that must be pushed as soon as a lane can do them.
const unplaced = "?"

// Bounds of what workers claim, which they may make up: the number of lanes, the number of a worker's languages,
// and the length of their names in bytes.
const (
	maxLanes     = 64
	maxLanguages = 200
	maxLanguage  = 64
)

// sane returns the languages of a worker, sorted, nil if it does not say them.
func sane(languages []string) []string {
	if languages == nil {
		return nil
	}
	list := []string{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(languages))) {
		if name != "" && len(name) <= maxLanguage && len(list) < maxLanguages {
			list = append(list, name)
		}
	}
	return list
}

// LaneOf returns the name of the lane from which a worker with these languages takes its tasks: "" if it does not
// say them (nil).
func LaneOf(languages []string) string {
	if languages == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(sane(languages), "\n")))
	return hex.EncodeToString(sum[:8])
}

// look finds out which workers there are, and hands the tasks of those that are gone to others.
func (l *leader) look(ctx context.Context) error {
	workers, err := l.Workers(ctx)
	if err != nil {
		return err
	}
	l.group(workers)
	all := []error{l.offer.keep(ctx, l.store.Blobs)}
	for _, name := range slices.Sorted(maps.Keys(l.lanes)) {
		if n := l.lanes[name]; n.queue == nil {
			n.queue, err = l.store.Work.Lane(ctx, name)
			if err != nil {
				n.queue = nil
			}
			all = append(all, err)
		}
	}
	return errors.Join(append(all, l.learn(ctx), l.moveAll(ctx))...)
}

// group puts the workers into lanes.
func (l *leader) group(workers map[string]Worker) {
	lanes := map[string]*lane{"": {queue: l.store.Work}}
	for _, key := range slices.Sorted(maps.Keys(workers)) {
		w := workers[key]
		name := LaneOf(w.Languages)
		n := lanes[name]
		if n == nil {
			if len(lanes) == maxLanes {
				l.o.Log.Error("the worker gets no tasks, because there are too many sets of languages", "worker", w.Worker)
				continue
			}
			n = &lane{name: name, languages: map[string]bool{}}
			for _, language := range w.Languages {
				n.languages[language] = true
			}
			if old := l.lanes[name]; old != nil {
				n.queue = old.queue
			}
			lanes[name] = n
		}
		n.workers++
		n.alive = n.alive || w.Ready() || w.Busy > 0
		if w.Ready() {
			n.slots += w.Slots
			n.capacity += w.Slots + Spare
		}
	}
	if len(workers) == 0 { // tasks wait in the lane for everything until workers come
		lanes[""].alive = true
	}
	l.lanes = lanes
}

// open returns the lanes that can take tasks, the least busy first. Among equally busy ones, those with the fewest
// languages come first, so that the others keep places for what only they can do.
func (l *leader) open() (list []*lane) {
	for _, n := range l.lanes {
		if n.queue != nil && n.alive && (n.capacity > 0 || n.workers == 0) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *lane) int {
		busy := l.out.in(a.name).tasks*max(b.capacity, 1) - l.out.in(b.name).tasks*max(a.capacity, 1)
		return cmp.Or(busy, len(a.languages)-len(b.languages), strings.Compare(a.name, b.name))
	})
	return list
}

// want is what a worker must have for a task.
type want struct {
	language string    // of the submission; "" if nobody knows it before the archive is opened
	guessed  bool      // by the name of the source, whose first line may say something else
	learned  [2]string // of which judging and which version: keys of leader.learned
}

func (l *leader) wantOf(sub *ledger.Submission, j *ledger.Judging) want {
	return l.wants(sub.Language, sub.Name, judgingID(sub.ID, j.Number), versionKey(sub.Problem, j.Version))
}

func (l *leader) wantOfTask(t *task.Task) want {
	return l.wants(t.Language, t.Name, judgingID(t.Submission, t.Judging), versionKey(t.Problem, t.Version))
}

func (l *leader) wants(language, name, judging, version string) want {
	w := want{language: language, learned: [2]string{judging, version}}
	if language == "" {
		for _, w.language = range l.o.LanguagesOf(name) {
			w.guessed = true
			break
		}
	}
	return w
}

// can reports whether the workers of a lane have what a task needs.
func (l *leader) can(n *lane, w want) bool {
	if n.languages == nil {
		return true
	}
	if w.language != "" && !n.languages[w.language] && !(w.guessed && !l.somebodyHas(w.language)) {
		return false
	}
	for _, key := range w.learned {
		for language := range l.learned[key] {
			if !n.languages[language] {
				return false
			}
		}
	}
	return true
}

func (l *leader) somebodyHas(language string) bool {
	for _, n := range l.lanes {
		if n.languages[language] {
			return true
		}
	}
	return false
}

// choose returns the lane for a task, nil if no worker can do it now.
func (l *leader) choose(w want) *lane {
	for _, n := range l.open() {
		if l.can(n, w) {
			return n
		}
	}
	return nil
}

// place makes sure that a task which must be pushed is in a lane.
func (l *leader) place(id string, h *handed) bool {
	if l.lanes[h.lane] == nil {
		n := l.choose(l.wantOfTask(h.task))
		if n == nil {
			return false
		}
		l.out.move(id, n.name)
	}
	return l.lanes[h.lane].queue != nil
}

// moveAll moves tasks away from lanes whose workers are gone, or sick and idle, to lanes that can do them. If no
// lane can, the tasks wait for their workers to return.
func (l *leader) moveAll(ctx context.Context) error {
	for id, h := range l.out.all() {
		if n := l.lanes[h.lane]; h.lane == unplaced || n != nil && n.alive {
			continue
		}
		to := l.choose(l.wantOfTask(h.task))
		if to == nil || to.workers == 0 {
			continue
		}
		if err := l.moveTo(ctx, id, h, to.name); err != nil {
			return err
		}
	}
	return nil
}

// moveTo takes a task out of the queue, and gives it another lane.
func (l *leader) moveTo(ctx context.Context, id string, h *handed, lane string) error {
	if err := l.store.Work.Remove(ctx, queueID(id, h.task.Attempt)); err != nil {
		return err
	}
	if h.lane != "" && !h.pushed.IsZero() { // a worker may have died of it
		h.task.Moved++
	}
	l.out.move(id, lane)
	return nil
}

// busyLanes returns the names of the lanes that have workers or tasks.
func (l *leader) busyLanes() []string {
	list := []string{}
	for name, n := range l.lanes {
		if n.workers > 0 {
			list = append(list, name)
		}
	}
	for name, p := range l.out.lanes {
		if p.tasks > 0 {
			list = append(list, name)
		}
	}
	return list
}
