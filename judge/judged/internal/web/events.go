package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"tribunal/judge/judged/internal/feedback"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// sendTime is how long a client may take to receive an event.
const sendTime = 10 * time.Second

// Event is an event of a stream: a WebSocket message, or a server-sent event with the same parts.
type Event struct {
	Event string          `json:"event" enum:"judging,live" doc:"judging: data is a Judging after a change; live: data is a worker's report of its progress"`
	ID    uint64          `json:"id,omitempty" doc:"the sequence of the judging"`
	Data  json.RawMessage `json:"data"`
}

// sender sends an event of a stream; a zero event is a heartbeat.
type sender func(Event) error

// producer sends the events of a stream, and a heartbeat at each beat, until there are no more, ctx ends, or an
// event cannot be sent.
type producer func(ctx context.Context, beat <-chan time.Time, send sender) error

// watchJudging sends what happens to a judging until it is over.
func (w *Web) watchJudging(rw http.ResponseWriter, r *http.Request) error {
	sub, err := w.get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	known, err := lastEvent(r)
	if err != nil {
		return err
	}
	if sub.Sequence <= known && over(&sub) {
		rw.WriteHeader(http.StatusNoContent) // tells an EventSource not to come back
		return nil
	}
	c, last := callerOf(r.Context()), sub
	effective := 0 // another judging can begin to count without a record of this submission
	return w.stream(rw, r, func(ctx context.Context, beat <-chan time.Time, send sender) error {
		return w.follow(ctx, sub.ID, beat, func(u service.Update) (bool, error) {
			if u.Submission == nil {
				e := w.liveEvent(c, &last, u)
				if u.Live != nil && e.Data == nil {
					return true, nil
				}
				return true, send(e)
			}
			last = *u.Submission
			if u.Submission.Sequence > known || effective > 0 && u.Submission.Effective != effective {
				if err := send(w.judgingEvent(c, u)); err != nil {
					return false, err
				}
			}
			known, effective = max(known, u.Submission.Sequence), u.Submission.Effective
			return !over(u.Submission), nil
		})
	})
}

// liveEvent returns the event for a worker's report about a submission, as far as the caller may see it, or a
// heartbeat if there is nothing to see.
func (w *Web) liveEvent(c *Caller, sub *ledger.Submission, u service.Update) Event {
	if u.Live == nil {
		return Event{}
	}
	version := ""
	if j := sub.Judging(feedback.JudgingOf(u.Live)); j != nil {
		version = j.Version
	}
	return Event{Event: "live", Data: w.view(c, sub, version).Live(u.Live)}
}

// lastEvent returns the sequence of the last event that a client has; 0 for none.
func lastEvent(r *http.Request) (uint64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, refuse(http.StatusUnprocessableEntity, "Last-Event-ID: want the id of an event")
	}
	return n, nil
}

func (w *Web) judgingEvent(c *Caller, u service.Update) Event {
	data, err := json.Marshal(w.judgingOf(c, u.Submission))
	if err != nil {
		panic(err) // a Judging holds only what JSON can express
	}
	return Event{Event: "judging", ID: u.Submission.Sequence, Data: data}
}

// stream sends the events of produce to a client, by WebSocket if the client asks for that. It ends at a heartbeat
// if the token is no longer valid.
func (w *Web) stream(rw http.ResponseWriter, r *http.Request, all producer) error {
	ctx, stop := w.whileServing(r.Context())
	defer stop()
	produce := func(ctx context.Context, beat <-chan time.Time, send sender) error {
		return all(ctx, beat, func(e Event) error {
			if e.Event == "" {
				if err := w.still(r); err != nil {
					return err
				}
			}
			return send(e)
		})
	}
	beat := time.NewTicker(w.o.Bounds.Beat)
	defer beat.Stop()
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return socket(ctx, rw, r, beat.C, produce)
	}
	h := rw.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy must not collect events
	rw.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil // no body, because the stream would never end
	}
	control := http.NewResponseController(rw)
	if err := control.Flush(); err != nil {
		return gone(err)
	}
	return gone(produce(ctx, beat.C, func(e Event) error {
		_ = control.SetWriteDeadline(time.Now().Add(sendTime))
		if err := writeEvent(rw, e); err != nil {
			return err
		}
		return control.Flush()
	}))
}

// lineEnds replaces every line end of server-sent events by a newline.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// writeEvent writes a server-sent event. A line break in the data begins another line of data; only reports of
// workers can have one.
func writeEvent(to io.Writer, e Event) error {
	var b bytes.Buffer
	if e.Event == "" {
		b.WriteString(": alive\n\n")
	} else {
		fmt.Fprintf(&b, "event: %s\n", e.Event)
		if e.ID > 0 {
			fmt.Fprintf(&b, "id: %d\n", e.ID)
		}
		for line := range strings.Lines(lineEnds.Replace(string(e.Data))) {
			fmt.Fprintf(&b, "data: %s\n", strings.TrimSuffix(line, "\n"))
		}
		b.WriteByte('\n')
	}
	_, err := to.Write(b.Bytes())
	return err
}

// handshake is the response to a request for a WebSocket. It holds back a refusal, which is not a problem document.
type handshake struct {
	http.ResponseWriter
	refused int // its status; 0: none
}

func (h *handshake) WriteHeader(status int) {
	if h.refused = status; status < http.StatusBadRequest {
		h.ResponseWriter.WriteHeader(status)
	}
}

func (h *handshake) Write(p []byte) (int, error) {
	if h.refused >= http.StatusBadRequest {
		return len(p), nil
	}
	return h.ResponseWriter.Write(p)
}

// Unwrap returns what an [http.ResponseController] controls.
func (h *handshake) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// socket sends the events over a WebSocket.
func socket(ctx context.Context, rw http.ResponseWriter, r *http.Request, beat <-chan time.Time, produce producer) error {
	shake := &handshake{ResponseWriter: rw}
	c, err := websocket.Accept(shake, r, &websocket.AcceptOptions{Subprotocols: []string{"tribunal"}})
	if err != nil {
		return refuse(cmp.Or(shake.refused, http.StatusBadRequest), "%v", err)
	}
	defer c.CloseNow()
	ctx = c.CloseRead(ctx) // a client says nothing; ctx ends when it goes
	err = produce(ctx, beat, func(e Event) error {
		ctx, stop := context.WithTimeout(ctx, sendTime)
		defer stop()
		if e.Event == "" {
			return c.Ping(ctx)
		}
		message, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return c.Write(ctx, websocket.MessageText, message)
	})
	if err == nil {
		_ = c.Close(websocket.StatusNormalClosure, "")
	}
	return nil
}
