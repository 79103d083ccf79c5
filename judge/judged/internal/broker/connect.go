package broker

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// Dial connects to a server or to a cluster, whose URLs are separated by commas. credentials is a file with the
// user's credentials, "" for none. A lost connection is made again.
func Dial(urls, credentials string, options ...nats.Option) (*nats.Conn, error) {
	if credentials != "" {
		options = append(options, nats.UserCredentials(credentials))
	}
	return connect(urls, options...)
}

func connect(urls string, options ...nats.Option) (*nats.Conn, error) {
	options = append([]nats.Option{
		nats.Name("judged"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now, and its sender knows
		nats.RetryOnFailedConnect(false), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		// Methods return errors. Without a handler, the client would print them as well.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}, options...)
	nc, err := nats.Connect(urls, options...)
	if err != nil {
		return nil, refused(urls, err)
	}
	return nc, nil
}

// redacted returns URLs without what they say about a user: a token, or a name and a password.
func redacted(urls string) string {
	list := strings.Split(urls, ",")
	for i, u := range list {
		scheme, rest, ok := strings.Cut(u, "://")
		if at := strings.LastIndex(rest, "@"); ok && at >= 0 {
			list[i] = scheme + "://" + rest[at+1:]
		}
	}
	return strings.Join(list, ",")
}

// refused returns the error of a connection, without what is secret in its URLs.
func refused(urls string, err error) error {
	if wrong, ok := errors.AsType[*url.Error](err); ok {
		err = wrong.Err // the text of wrong has the URL
	}
	hint := "is it running, and can this machine reach it?"
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, misnamed := errors.AsType[x509.HostnameError](err)
	switch {
	case misnamed:
		hint = "the URL has another name of the server than its certificate"
	case untrusted:
		hint = "--nats-ca names a file with the certificates of who signs those of the servers"
	case errors.Is(err, nats.ErrSecureConnWanted):
		hint = "the server has no TLS, so that its URL is nats://HOST:PORT"
	case errors.Is(err, nats.ErrAuthorization):
		hint = "the URL is nats://USER:PASSWORD@HOST:PORT; for the server of a judged serve, nats://worker:TOKEN@HOST:PORT, with the token in nats.token in its data folder"
	case !errors.Is(err, nats.ErrNoServers):
		hint = "a URL is nats://HOST:PORT"
	}
	at := cmp.Or(redacted(urls), "this process")
	return fmt.Errorf("connecting to NATS at %s: %w (hint: %s)", at, err, hint)
}

// AddressError says why a server cannot listen at the address of its settings.
type AddressError struct{ err error }

func (e *AddressError) Error() string { return e.err.Error() }
func (e *AddressError) Unwrap() error { return e.err }

func splitAddress(address string) (string, int, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: want host:port (hint: 127.0.0.1:4222)", address)
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("address %q: no such port (hint: a number up to 65535)", address)
	}
	if port == 0 {
		port = -1 // means any free port here
	}
	return host, port, nil
}

// Options are the settings of streams that do not exist yet.
type Options struct {
	Prefix   string        // of all names, so that several services can share a cluster; "" means tribunal
	Replicas int           // 0 means 1
	AckWait  time.Duration // after which a message is delivered again whose receiver is silent; 0 means 30 s
	Presence time.Duration // after which an entry of the board disappears; 0 means 15 s
	MaxBytes int64         // of the ledger; 0 means no bound
}

// usualPrefix begins the names of all streams and subjects if no other is set.
const usualPrefix = "tribunal"

// Open returns the store behind a connection, and creates what is missing in it.
func Open(ctx context.Context, nc *nats.Conn, o Options) (*store.Store, error) {
	o.Prefix = cmp.Or(o.Prefix, usualPrefix)
	o.AckWait = cmp.Or(o.AckWait, 30*time.Second)
	o.Presence = cmp.Or(o.Presence, 15*time.Second)
	o.Replicas = max(o.Replicas, 1)
	b, err := newBroker(nc, o)
	if err != nil {
		return nil, err
	}
	if err := b.complete(ctx); err != nil {
		return nil, opening(err)
	}
	b.create = true
	s, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	if s.Log, err = b.log(ctx, "ledger"); err == nil {
		s.Tokens, err = b.log(ctx, "tokens")
	}
	return s, opening(err)
}

// ErrIncomplete means that some streams of a store are gone.
var ErrIncomplete = errors.New("half a backup was restored, or files are damaged")

// complete returns [ErrIncomplete] if a service has been here and some of its streams are gone: if they were made
// again, empty, they could not be restored any more. The stream of tokens can exist before any service.
func (b *broker) complete(ctx context.Context) error {
	var missing, there []string
	for _, name := range []string{"ledger", "tokens", "blobs", "settings"} {
		s, err := b.js.Stream(ctx, b.name(name))
		switch {
		case errors.Is(err, jetstream.ErrStreamNotFound):
			missing = append(missing, b.name(name))
		case err != nil:
			return err
		case name != "tokens" && s.CachedInfo().State.LastSeq > 0:
			there = append(there, b.name(name))
		}
	}
	if len(missing) == 0 || len(there) == 0 {
		return nil
	}
	return fmt.Errorf("%s is missing, and there is %s: %w (hint: restore what is missing before the service is started)",
		strings.Join(missing, ", "), strings.Join(there, ", "), ErrIncomplete)
}

// Join returns the part of a store that a worker needs and has rights for: all but Log and Tokens, which are nil.
// It creates nothing; the error wraps [store.ErrNotFound] if no service has opened the store yet.
func Join(ctx context.Context, nc *nats.Conn, prefix string) (*store.Store, error) {
	b, err := newBroker(nc, Options{Prefix: cmp.Or(prefix, usualPrefix)})
	if err != nil {
		return nil, err
	}
	return b.open(ctx)
}

// Tokens returns the log with the tokens of a store. With create, it creates the log if there is none; otherwise
// the error is as that of Join. Only Open creates the rest of the store.
func Tokens(ctx context.Context, nc *nats.Conn, prefix string, create bool) (store.Log, error) {
	b, err := newBroker(nc, Options{Prefix: cmp.Or(prefix, usualPrefix), Replicas: 1})
	if err != nil {
		return nil, err
	}
	b.create = create
	log, err := b.log(ctx, "tokens")
	return log, opening(err)
}

// opening adds to an error what was being done.
func opening(err error) error {
	switch {
	case err == nil:
		return nil
	case code(err) == noPeers:
		return fmt.Errorf("opening JetStream: %w (hint: fewer servers are there than shall keep each record)", err)
	}
	return fmt.Errorf("opening JetStream: %w", known(err))
}

// open opens everything but the logs.
func (b *broker) open(ctx context.Context) (*store.Store, error) {
	s := &store.Store{Signals: b.signals()}
	for _, open := range []func() error{
		func() error {
			work, err := b.laned(ctx, "work", 1)
			if err == nil {
				s.Work, s.Silence = work, work.silence()
			}
			return err
		},
		func() (err error) { s.Results, err = b.queue(ctx, "results", resultsAtOnce); return err },
		func() (err error) { s.Blobs, err = b.blobs(ctx); return err },
		func() (err error) { s.Board, err = b.board(ctx); return err },
	} {
		if err := open(); err != nil {
			return nil, opening(err)
		}
	}
	return s, nil
}

// broker is one connection.
type broker struct {
	nc *nats.Conn
	js jetstream.JetStream
	o  Options

	create bool // it creates what is missing
}

func newBroker(nc *nats.Conn, o Options) (*broker, error) {
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	return &broker{nc: nc, js: streams{js}, o: o}, err
}

// stream opens a stream. If it may, it creates what is missing: the stream, and servers that keep it.
func (b *broker) stream(ctx context.Context, name string, c jetstream.StreamConfig) (jetstream.Stream, error) {
	c.Name = b.name(name)
	c.Subjects = []string{b.subject(name, ">")}
	// Messages are read from the leader of the stream, unless AllowDirect is set: a replica may not have
	// yet what was just written.
	c.Storage, c.Replicas = jetstream.FileStorage, b.o.Replicas
	s, err := b.js.Stream(ctx, c.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if !b.create {
			return nil, fmt.Errorf("stream %s: %w", c.Name, store.ErrNotFound)
		}
		if s, err = b.js.CreateStream(ctx, c); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			s, err = b.js.Stream(ctx, c.Name) // another service has just created it, with other settings
		}
	}
	if err == nil && b.create && s.CachedInfo().Config.Replicas < b.o.Replicas {
		c = s.CachedInfo().Config
		c.Replicas = b.o.Replicas
		s, err = b.js.UpdateStream(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return stream{s}, nil
}

func (b *broker) subject(words ...string) string { return b.o.Prefix + "." + strings.Join(words, ".") }

// plain returns an error unless text consists of words that each stand for themselves.
func plain(text string) error {
	for word := range strings.SplitSeq(text, ".") {
		if word == "" || strings.ContainsAny(word, "*> \t\r\n") {
			return fmt.Errorf("%q is not made of words with dots between them", text)
		}
	}
	return nil
}

// publish adds a message if the last one of its subject has the sequence after; 0: if there is none. With a
// pattern, the last message of all subjects that match it counts.
//
// While a cluster replicates another message of the subject, that cannot be read yet, and may even be lost. Only
// when that is decided does publish know whether there is a conflict.
func (b *broker) publish(ctx context.Context, subject string, after uint64, data []byte, pattern ...string) (uint64, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	expect := jetstream.WithExpectLastSequencePerSubject(after)
	if len(pattern) > 0 {
		expect = jetstream.WithExpectLastSequenceForSubject(after, pattern[0])
	}
	for {
		ack, err := b.js.Publish(ctx, subject, data, expect, jetstream.WithRetryAttempts(0))
		if err == nil {
			return ack.Sequence, nil
		}
		if code(err) != undecided {
			return 0, known(err)
		}
		if err := retry.Wait(ctx, undecidedPause); err != nil {
			return 0, err
		}
	}
}

// undecidedPause is how long to wait before looking again at a message that is being replicated.
const undecidedPause = 10 * time.Millisecond

// Error codes of JetStream, from the file errors.json of nats-server.
const (
	wrongSequence = 10071
	undecided     = 10164 // a message of the same subject is being replicated
	noStore       = 10077 // such as: the maximum of bytes is reached, no space left
	noResources   = 10023
	noStorage     = 10047
	noPeers       = 10005
)

// code returns the code of an error of JetStream, 0 if it is none.
func code(err error) jetstream.ErrorCode {
	if e, ok := errors.AsType[jetstream.JetStreamError](err); ok && e.APIError() != nil {
		return e.APIError().ErrorCode
	}
	if e, ok := errors.AsType[*jetstream.APIError](err); ok {
		return e.ErrorCode
	}
	return 0
}

// known turns errors of JetStream into those that package store names.
func known(err error) error {
	switch code(err) {
	case wrongSequence:
		return store.ErrConflict
	case noStore, noResources, noStorage:
		return fmt.Errorf("%w: %w", store.ErrFull, err)
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		return fmt.Errorf("%w: %w", store.ErrLarge, err)
	}
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return store.ErrNotFound
	}
	if errors.Is(err, nats.ErrReconnectBufExceeded) { // there is no buffer, so that any message exceeds it
		return fmt.Errorf("no NATS server is connected: %w", err)
	}
	return err
}
