package broker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// puller asks the consumer of a queue for messages, one at a time. One goroutine uses it.
//
// It replaces the iterators of [jetstream.Consumer], which sometimes lose a request if they ask for one message at
// a time: they check whether the last request has been sent before its sender has reported that, and then wait for
// a message that nobody has asked for.
type puller struct {
	nc      *nats.Conn
	subject string // at which the consumer takes requests
	inbox   *nats.Subscription
	asked   bool // a request is under way
}

// newPuller returns a puller, which the caller closes.
func (q *queue) newPuller() (*puller, error) {
	inbox, err := q.nc.SubscribeSync(q.nc.NewInbox())
	if err != nil {
		return nil, err
	}
	info := q.consumer.CachedInfo()
	return &puller{nc: q.nc, subject: "$JS.API.CONSUMER.MSG.NEXT." + info.Stream + "." + info.Name, inbox: inbox}, nil
}

// askTime is how long a request for a message lasts. Then it is made again.
const askTime = 30 * time.Second

// request is a request for a message, as the server reads it.
type request struct {
	Batch     int           `json:"batch"`
	Expires   time.Duration `json:"expires"`
	Heartbeat time.Duration `json:"idle_heartbeat"`
}

// The statuses of messages that the server sends itself. Any other ends the request.
const (
	statusAlive   = "100"
	statusExpired = "408"
)

// next waits for a message until ctx ends. After an error the puller must be closed.
func (p *puller) next(ctx context.Context) (*nats.Msg, error) {
	for {
		if err := p.ask(); err != nil {
			return nil, err
		}
		m, err := p.receive(ctx)
		if err != nil {
			return nil, err
		}
		switch status := m.Header.Get("Status"); status {
		case "":
			p.asked = false
			return m, nil
		case statusAlive:
		case statusExpired:
			p.asked = false
		default:
			return nil, fmt.Errorf("waiting for a message: %s %s", status, m.Header.Get("Description"))
		}
	}
}

// ask asks for a message, unless a request is under way.
func (p *puller) ask() error {
	if p.asked {
		return nil
	}
	data, err := json.Marshal(request{Batch: 1, Expires: askTime, Heartbeat: heartbeat})
	if err != nil {
		return err
	}
	if err := p.nc.PublishRequest(p.subject, p.inbox.Subject, data); err != nil {
		return known(err)
	}
	p.asked = true
	return nil
}

// receive waits for what comes next. The server says every heartbeat that it is there.
func (p *puller) receive(ctx context.Context) (*nats.Msg, error) {
	wait, stop := context.WithTimeout(ctx, 2*heartbeat)
	defer stop()
	m, err := p.inbox.NextMsgWithContext(wait)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = errSilent
	}
	return m, err
}

// errSilent means that a request for messages was lost.
var errSilent = errors.New("the server says nothing while it is waited for")

// close ends the request under way. If a message comes nevertheless, close hands it back, because it would be
// missing until its time is over.
func (p *puller) close() {
	if p.inbox.Drain() != nil {
		return // the connection is closed
	}
	for {
		switch m, err := p.inbox.NextMsg(time.Second); {
		case errors.Is(err, nats.ErrNoResponders): // which is a message too
		case err != nil:
			return
		case m.Header.Get("Status") == "":
			_ = m.Nak()
		}
	}
}
