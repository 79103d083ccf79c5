// Package store defines what the service keeps and where: a log of records, a store of blobs, and
// queues, all of which survive the processes that use them.
//
// Package broker keeps them in NATS JetStream, package simstore in memory, with faults. Both pass the
// suite in storetest. Every method is safe for concurrent use, and returns the error of ctx when ctx
// ends first. An error other than those named here means that the outcome is unknown: the effect may
// have happened, or may still happen.
//
// Ids, keys, subjects and names are words with dots between them. A word consists of letters, digits,
// hyphens and underscores. Data that is passed to a method is copied, and data that it returns is the
// caller's.
package store

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// Store is the place where services and workers meet.
type Store struct {
	Log     Log // of everything that happens to submissions
	Tokens  Log // of the entries of tokens
	Blobs   Blobs
	Work    Queue   // tasks for workers
	Results Queue   // answers of workers
	Board   Board   // who is there, and who leads
	Signals Signals // news that nothing depends on
	// Silence is how long the queues wait for a silent receiver, which was set when they were made; 0
	// if it is unknown.
	Silence time.Duration
}

// ErrConflict means that a subject, queue or key is not in the state that the caller expected.
var ErrConflict = errors.New("it was changed meanwhile")

// ErrNotFound means that there is no such record, blob or key.
var ErrNotFound = errors.New("not found")

// ErrFull means that the store has no room.
var ErrFull = errors.New("the store is full")

// ErrDamaged means that a content is not what it was when it was stored.
var ErrDamaged = errors.New("damaged")

// ErrLarge means that data is larger than a record or a message can be.
var ErrLarge = errors.New("too large for a record or a message")

// IsFinal reports whether repeating the operation would give the same error.
func IsFinal(err error) bool { return errors.Is(err, ErrFull) || errors.Is(err, ErrLarge) }

// Record is an entry of the log. Records are ordered by Sequence, which begins at 1 and may have gaps.
type Record struct {
	Sequence uint64
	Subject  string // the thing that the record is about: words separated by dots
	Data     []byte
	Time     time.Time // when the store received it
}

// Log is an append-only sequence of records.
type Log interface {
	// Append adds a record and returns its sequence. Unless the last record of its subject has the
	// sequence after (0: the subject has none), it returns ErrConflict and adds nothing; the record
	// that is there instead can be read then.
	Append(ctx context.Context, subject string, after uint64, data []byte) (uint64, error)
	// Follow passes the records behind the sequence from to each, in order and one at a time, and
	// waits for further ones until ctx ends or each returns an error, which Follow returns. After
	// another error it has lost its place, and is called again with the last sequence that each got.
	Follow(ctx context.Context, from uint64, each func(Record) error) error
	// Get returns the record with a sequence, or ErrNotFound.
	Get(ctx context.Context, sequence uint64) (Record, error)
	// Last returns the highest sequence, 0 for an empty log.
	Last(ctx context.Context) (uint64, error)
	// Forget removes the records of a subject for ever, except its last one.
	Forget(ctx context.Context, subject string) error
}

// Wrote reports whether the record with a sequence has this data. Who gets ErrConflict after an unknown outcome may have
// written the record that is there instead.
func Wrote(ctx context.Context, l Log, sequence uint64, data []byte) (bool, error) {
	r, err := l.Get(ctx, sequence)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil && bytes.Equal(r.Data, data), err
}

// Blobs keeps contents by their hash.
type Blobs interface {
	// Put stores data. Storing the same again changes nothing.
	Put(ctx context.Context, data []byte) (Ref, error)
	// Get returns what was stored, or ErrNotFound, or ErrDamaged if its hash is another.
	Get(ctx context.Context, ref Ref) ([]byte, error)
	// Delete removes a blob, if it is there.
	Delete(ctx context.Context, hash string) error
	// List returns references to the blobs that were stored before a time. A blob of which its writer
	// did not store all, because it was killed, is among them, with a smaller size.
	List(ctx context.Context, before time.Time) ([]Ref, error)
	// PutNamed and GetNamed keep the newest of several contents under a name.
	PutNamed(ctx context.Context, name string, data []byte) error
	GetNamed(ctx context.Context, name string) ([]byte, error)
}

// Queue holds messages until they are acknowledged.
type Queue interface {
	// Push adds a message. It returns ErrConflict, and adds nothing, while the queue holds one with
	// the same id, waiting or delivered.
	Push(ctx context.Context, id string, data []byte) error
	// Pull waits for a message until ctx ends. A message that is not acknowledged is delivered again:
	// when it is handed back, or when its receiver has not called Working for the time that the
	// queue waits.
	Pull(ctx context.Context) (Message, error)
	// Remove removes the messages whose ids begin with these words, waiting or delivered. One that waits
	// may still be delivered a moment later: in a store of several servers, the one that delivers hears
	// of it after the one that removes. What the receiver of a removed message does with it is no
	// error, and has no effect.
	Remove(ctx context.Context, words string) error
	// Has reports whether the queue holds the message with an id in this lane, waiting or delivered.
	Has(ctx context.Context, id string) (bool, error)
	// Len returns the number of messages, waiting or delivered.
	Len(ctx context.Context) (int, error)
	// Tidy removes messages that will never be delivered again, though the queue holds them: a server that is
	// killed may remember that a message was acknowledged, and forget to remove it. lanes are those that have
	// receivers: messages of other lanes are removed, too; "" is the lane without a name, and nil leaves all lanes.
	Tidy(ctx context.Context, lanes []string) error
	// Lane returns the queue with another lane, a word, for messages to receivers of one kind. Push, Pull and Has
	// work on the lane; all other methods work on the whole queue, in which an id is unique. The queue of a store
	// has a lane without a name. If the caller has the right to make stores, a missing lane is made; otherwise the
	// error is ErrNotFound. A lane from which nothing has pulled for some hours may disappear; its messages remain.
	Lane(ctx context.Context, name string) (Queue, error)
}

// Message is a message delivered to a receiver, which calls Ack or Return once. Ack, Return and Working do not wait
// for the queue: they take effect soon after, unless they are lost on the way.
type Message interface {
	ID() string
	Data() []byte
	Delivery() int // counts the deliveries of this message, from 1
	// Ack removes the message from the queue.
	Ack(ctx context.Context) error
	// Return hands the message back; it is delivered again after a delay.
	Return(delay time.Duration) error
	// Working tells the queue that the receiver is alive. It must be called at least once in each
	// third of the time that the queue waits.
	Working() error
}

// Board holds short-lived entries: an entry that is not written again disappears after a while.
type Board interface {
	// Post writes an entry.
	Post(ctx context.Context, key string, data []byte) error
	// Claim writes the entry of a key that has none, or that the same holder claimed before. It
	// returns false if another holder has it.
	Claim(ctx context.Context, key, holder string) (bool, error)
	// Withdraw removes an entry; with holder set, only if that holder claimed it.
	Withdraw(ctx context.Context, key, holder string) error
	// List returns the entries whose keys begin with these words and go on.
	List(ctx context.Context, words string) (map[string][]byte, error)
	// Keep writes an entry that stays, among others of that kind, which List does not return. If
	// there is one already, it returns that instead, and changes nothing.
	Keep(ctx context.Context, key string, data []byte) ([]byte, error)
}

// Signals passes messages to those that are listening at the moment. Messages may be lost.
type Signals interface {
	Send(subject string, data []byte) error
	// Listen passes messages to each until stop is called, which may be called again. A pattern is a
	// subject, or the beginning of subjects if it ends in ".>". each must not block.
	Listen(pattern string, each func(subject string, data []byte)) (stop func(), err error)
}
