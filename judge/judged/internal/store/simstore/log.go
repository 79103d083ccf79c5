package simstore

import (
	"bytes"
	"context"
	"slices"

	"tribunal/judge/judged/internal/store"
)

// The names of the logs, which begin the names of their operations.
const (
	events = "log"
	tokens = "tokens"
)

// records is a log of a world.
type records struct {
	list []store.Record // by sequence
	next uint64         // the highest sequence
	last map[string]uint64
}

// find returns the index of the first record with at least a sequence.
func (l *records) find(sequence uint64) int {
	i, _ := slices.BinarySearchFunc(l.list, sequence, func(r store.Record, s uint64) int {
		if r.Sequence < s {
			return -1
		}
		return 1
	})
	return i
}

// ledger is a log as an actor sees it.
type ledger struct {
	*Actor
	name string
}

func (l ledger) op(method string) string { return l.name + "." + method }

func (l ledger) records() *records { return l.world.logs[l.name] }

func (l ledger) Append(ctx context.Context, subject string, after uint64, data []byte) (sequence uint64, err error) {
	data = bytes.Clone(data)
	log := l.records()
	err = l.do(ctx, l.op("append"), func() error {
		if log.last[subject] != after {
			return store.ErrConflict
		}
		log.next++
		log.last[subject], sequence = log.next, log.next
		log.list = append(log.list, store.Record{Sequence: log.next, Subject: subject, Data: data, Time: l.world.o.Now()})
		return nil
	})
	if err != nil {
		return 0, err
	}
	return sequence, nil
}

func (l ledger) Follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r, changed, there := l.behind(from)
		if !there {
			if err := l.world.wait(ctx, changed); err != nil {
				return err
			}
			continue
		}
		switch f := l.fault(l.op("follow")); f {
		case Fail:
			return failed(l.op("follow"))
		case Hide:
			return ErrIdle
		case None:
			if err := each(r); err != nil {
				return err
			}
		default:
			if f == CrashAfter {
				_ = each(r)
			}
			l.Kill()
			panic(crash{l.op("follow")})
		}
		from = r.Sequence
	}
}

// behind returns the first record behind a sequence, or what to wait for.
func (l ledger) behind(from uint64) (r store.Record, changed <-chan struct{}, there bool) {
	l.world.access(func() {
		changed = l.world.changed
		if log := l.records(); log.find(from+1) < len(log.list) {
			r, there = copied(log.list[log.find(from+1)]), true
		}
	})
	return r, changed, there
}

func copied(r store.Record) store.Record {
	r.Data = bytes.Clone(r.Data)
	return r
}

func (l ledger) Get(ctx context.Context, sequence uint64) (r store.Record, err error) {
	err = l.do(ctx, l.op("get"), func() error {
		log := l.records()
		i := log.find(sequence)
		if i == len(log.list) || log.list[i].Sequence != sequence {
			return store.ErrNotFound
		}
		r = copied(log.list[i])
		return nil
	})
	return r, err
}

func (l ledger) Last(ctx context.Context) (last uint64, err error) {
	err = l.do(ctx, l.op("last"), func() error {
		last = l.records().next
		return nil
	})
	return last, err
}

func (l ledger) Forget(ctx context.Context, subject string) error {
	if err := plain(subject); err != nil {
		return err
	}
	log := l.records()
	return l.do(ctx, l.op("forget"), func() error {
		log.list = slices.DeleteFunc(log.list, func(r store.Record) bool {
			return r.Subject == subject && r.Sequence != log.last[subject]
		})
		return nil
	})
}
