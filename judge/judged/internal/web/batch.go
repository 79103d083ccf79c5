package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// BatchLine is a line of a batch: a submission, and the key by which the answers name it.
type BatchLine struct {
	Key string `json:"key" minLength:"1" maxLength:"128" doc:"unique in the batch"`
	Submission
}

// BatchEvent is a line of the answer to a batch.
type BatchEvent struct {
	Event   string   `json:"event" enum:"taken,ended,refused,alive,end" doc:"taken: the submission is in the ledger and will get its verdict; ended: it has; refused: it was not taken; alive: nothing happened for a while; end: everything has ended"`
	Key     string   `json:"key,omitempty"`
	Line    int      `json:"line,omitempty" doc:"of the request, from 1"`
	Judging *Judging `json:"judging,omitempty"`
	Problem *Problem `json:"problem,omitempty" doc:"why it was refused"`
	Taken   int      `json:"taken,omitempty" doc:"with end: submissions that were taken"`
	Refused int      `json:"refused,omitempty" doc:"with end: lines that were refused"`
}

// busyPause is how long a batch waits when too many judgings wait.
const busyPause = time.Second

// lineTime is how long a batch may be silent between two lines.
const lineTime = 5 * time.Minute

// batch is a batch whose lines are being read.
type batch struct {
	w       *Web
	key     string
	caller  *Caller
	control *http.ResponseController
	out     *answers

	mu             sync.Mutex
	read           bool                    // all lines have been read
	pending        map[string][]BatchEvent // the events "ended" to send, by id; a submission may have several keys
	taken, refused int
}

// createBatch takes submissions line by line, and answers line by line: at once that a submission was taken, and
// later how it ended. A client that was cut off sends the same lines with the same keys again, and gets the answers
// that it missed.
func (w *Web) createBatch(rw http.ResponseWriter, r *http.Request) error {
	key := r.Header.Get("Idempotency-Key")
	if key == "" || len(key) > maxKey-129 {
		return refuse(http.StatusUnprocessableEntity, "Idempotency-Key: a batch has one, of at most %d bytes", maxKey-129)
	}
	b := &batch{w: w, key: key, caller: callerOf(r.Context()), control: http.NewResponseController(rw), out: newAnswers(lease{from: &w.budget, owner: callerOf(r.Context()).Owner}), pending: map[string][]BatchEvent{}}
	rw.Header().Set("Content-Type", "application/x-ndjson")
	rw.Header().Set("X-Accel-Buffering", "no")
	rw.WriteHeader(http.StatusOK)
	if err := b.control.Flush(); err != nil {
		return gone(err)
	}
	defer b.out.end()
	ctx, stop := w.whileServing(r.Context())
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	read := make(chan struct{}) // closed when all lines have been read
	g.Go(w.caught(func() error {
		defer close(read)
		// The end of the batch also ends a read in progress, but must not end reads of later requests of the
		// connection.
		defer context.AfterFunc(ctx, func() { _ = b.control.SetReadDeadline(time.Now()) })()
		return b.take(ctx, r.Body)
	}))
	g.Go(w.caught(func() error { return b.watch(ctx, r, read) }))
	g.Go(w.caught(func() error { return b.write(ctx, rw) }))
	err := g.Wait()
	if errors.Is(err, errUnread) || errors.Is(err, os.ErrDeadlineExceeded) && r.Context().Err() == nil {
		w.o.Log.Warn("a batch was cut off: its client neither sends nor reads", "owner", b.caller.Owner, "error", err)
	}
	return gone(err)
}

// take takes all lines. A line counts against the budget until it is taken.
func (b *batch) take(ctx context.Context, body io.Reader) error {
	lines, held := bufio.NewReaderSize(body, 64<<10), lease{from: &b.w.budget, owner: b.caller.Owner}
	defer held.end()
	for n := 1; ; n++ {
		_ = b.control.SetReadDeadline(time.Now().Add(lineTime))
		line, err := readLine(lines, 2*int(b.w.o.Bounds.Source), &held)
		bad, isBad := errors.AsType[*Problem](err)
		switch {
		case errors.Is(err, io.EOF):
			b.mu.Lock()
			b.read = true
			b.mu.Unlock()
			b.hurry()
			return b.control.SetReadDeadline(time.Time{})
		case isBad:
			err = b.refuse(ctx, n, "", bad)
		case err == nil && len(bytes.TrimSpace(line)) > 0:
			err = b.takeLine(ctx, n, line)
		}
		if err != nil {
			return err
		}
		held.end()
	}
}

// readLine returns the next line, whose bytes it takes from a budget. It skips a line that is longer than most, or
// too long for the budget, and returns a [*Problem]. The last line needs no line end.
func readLine(from *bufio.Reader, most int, held *lease) (line []byte, err error) {
	var bad *Problem // why the line is skipped
	for {
		part, err := from.ReadSlice('\n')
		switch {
		case bad != nil:
		case len(line)+len(part) > most:
			bad = refuse(http.StatusRequestEntityTooLarge, "the line has more than %d bytes", most)
		case !held.take(len(part)):
			bad = errBuffered
		default:
			line = append(line, part...)
		}
		if bad != nil {
			line = nil
			held.end()
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case (err == nil || errors.Is(err, io.EOF)) && bad != nil:
			return nil, bad
		case errors.Is(err, io.EOF) && len(line) > 0: // the end of the whole body; a body that is cut off gives another error
			return line, nil
		}
		return line, err
	}
}

// takeLine takes a line. While too many judgings wait, it waits too, and the client with it.
func (b *batch) takeLine(ctx context.Context, n int, text []byte) error {
	var line BatchLine
	err := unmarshal(text, &line, true)
	if unclear, ok := errors.AsType[*Problem](err); ok {
		return b.refuse(ctx, n, "", unclear)
	}
	if err != nil {
		return b.refuse(ctx, n, "", refuse(http.StatusBadRequest, "not a line of a batch: %v", err))
	}
	if line.Key == "" || len(line.Key) > 128 {
		return b.refuse(ctx, n, "", wrong("key", "want a key of at most 128 bytes"))
	}
	if line.Priority == "" {
		line.Priority = string(ledger.Batch)
	}
	r, err := b.w.request(&line.Submission, b.caller)
	if err == nil {
		r.Key = inBatch(b.key, line.Key)
		err = b.w.fill(ctx, &r, &line.Submission)
	}
	var sub ledger.Submission
	for err == nil {
		if sub, _, err = b.w.o.Service.Submit(ctx, r); !errors.Is(err, service.ErrBusy) {
			break
		}
		select {
		case <-time.After(busyPause):
			err = nil
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return b.refuse(ctx, n, line.Key, b.w.failed("/v1/batches", err))
	}
	j := b.w.judgingOf(b.caller, &sub)
	if err := b.send(ctx, BatchEvent{Event: "taken", Key: line.Key, Line: n, Judging: &j}); err != nil {
		return err
	}
	b.mu.Lock()
	b.taken++
	b.pending[sub.ID] = append(b.pending[sub.ID], BatchEvent{Event: "ended", Key: line.Key, Line: n})
	b.mu.Unlock()
	return b.look(ctx, sub.ID) // it may have ended before the watch knew that it is in the batch
}

// inBatch returns the key of a submission of a batch. It is no other request's: no header has a newline.
func inBatch(key, member string) string { return key + "\n" + member }

func (b *batch) refuse(ctx context.Context, n int, key string, p *Problem) error {
	b.mu.Lock()
	b.refused++
	b.mu.Unlock()
	return b.send(ctx, BatchEvent{Event: "refused", Line: n, Key: key, Problem: p})
}

func (b *batch) send(ctx context.Context, e BatchEvent) error { return b.out.add(ctx, e) }

// look reports the end of a submission of the batch, if it has ended.
func (b *batch) look(ctx context.Context, id string) error {
	sub, err := b.w.o.Service.Get(id)
	if err != nil {
		return nil // the service has not read its record yet; the watch will report it
	}
	return b.ended(ctx, &sub)
}

// ended reports the end of a submission, once for each of its keys.
func (b *batch) ended(ctx context.Context, sub *ledger.Submission) error {
	if j := sub.Counts(); !sub.Erased && (j == nil || j.Status == ledger.Waiting) {
		return nil
	}
	b.mu.Lock()
	events := b.pending[sub.ID]
	delete(b.pending, sub.ID)
	b.mu.Unlock()
	j := b.w.judgingOf(b.caller, sub)
	for _, e := range events {
		e.Judging = &j
		if err := b.send(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// waits reports whether a submission of the batch has not ended.
func (b *batch) waits(sub *ledger.Submission) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pending[sub.ID] != nil
}

// unended returns the ids of the submissions that have not ended.
func (b *batch) unended() (ids []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.pending {
		ids = append(ids, id)
	}
	return ids
}

// watch reports submissions that end, until all lines have been read and all submissions have ended.
func (b *batch) watch(ctx context.Context, r *http.Request, read <-chan struct{}) error {
	beat := time.NewTicker(b.w.o.Bounds.Beat)
	defer beat.Stop()
	for {
		watch := b.w.o.Service.WatchAll(b.waits)
		err := b.follow(ctx, r, watch, read, beat)
		watch.Close()
		if !errors.Is(err, errSlow) {
			return err
		}
	}
}

var errSlow = errors.New("the watcher was too slow")

func (b *batch) follow(ctx context.Context, r *http.Request, watch *service.Watch, read <-chan struct{}, beat *time.Ticker) error {
	for _, id := range b.unended() {
		if err := b.look(ctx, id); err != nil {
			return err
		}
	}
	for {
		if read == nil && len(b.unended()) == 0 {
			return b.send(ctx, BatchEvent{Event: "end", Taken: b.taken, Refused: b.refused})
		}
		select {
		case u, ok := <-watch.C:
			if !ok {
				return errSlow
			}
			if err := b.ended(ctx, u.Submission); err != nil {
				return err
			}
		case <-read:
			read = nil
		case <-beat.C:
			if err := b.w.still(r); err != nil {
				return err
			}
			if err := b.send(ctx, BatchEvent{Event: "alive"}); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hurry bounds the time in which the client must read something. While it sends lines it need not.
func (b *batch) hurry() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var by time.Time
	if b.read {
		by = time.Now().Add(sendTime)
	}
	_ = b.control.SetWriteDeadline(by)
}

// write writes the events up to the end.
func (b *batch) write(ctx context.Context, to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	defer context.AfterFunc(ctx, func() { _ = b.control.SetWriteDeadline(time.Now()) })()
	for {
		list, err := b.out.next(ctx)
		if err != nil {
			return err
		}
		for i := range list {
			b.hurry()
			if err := encoder.Encode(list[i]); err != nil {
				return err
			}
			if err := b.control.Flush(); err != nil || list[i].Event == "end" {
				return err
			}
			b.out.wrote(1)
		}
	}
}
