package simstore

import (
	"bytes"
	"context"
	"strings"
	"time"
)

// notices is the board of a world.
type notices struct {
	passing map[string]notice
	lasting map[string][]byte
}

// notice is an entry that disappears.
type notice struct {
	data []byte
	ends time.Time
}

// board is the board as an actor sees it.
type board struct{ *Actor }

// entry returns the entry of a key, if it has not disappeared.
func (b board) entry(key string) (data []byte, there bool) {
	n, there := b.world.board.passing[key]
	return n.data, there && b.world.o.Now().Before(n.ends)
}

func (b board) write(key string, data []byte) {
	b.world.board.passing[key] = notice{data, b.world.o.Now().Add(b.world.o.Presence)}
}

func (b board) Post(ctx context.Context, key string, data []byte) error {
	data = bytes.Clone(data)
	return b.do(ctx, "board.post", func() error {
		b.write(key, data)
		return nil
	})
}

func (b board) Claim(ctx context.Context, key, holder string) (claimed bool, err error) {
	err = b.do(ctx, "board.claim", func() error {
		data, there := b.entry(key)
		if claimed = !there || string(data) == holder; claimed {
			b.write(key, []byte(holder))
		}
		return nil
	})
	return claimed && err == nil, err
}

func (b board) Withdraw(ctx context.Context, key, holder string) error {
	return b.do(ctx, "board.withdraw", func() error {
		if data, _ := b.entry(key); holder == "" || string(data) == holder {
			delete(b.world.board.passing, key)
		}
		return nil
	})
}

func (b board) List(ctx context.Context, words string) (map[string][]byte, error) {
	list := map[string][]byte{}
	err := b.do(ctx, "board.list", func() error {
		for key := range b.world.board.passing {
			if data, there := b.entry(key); there && strings.HasPrefix(key, words+".") {
				list[key] = bytes.Clone(data)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (b board) Keep(ctx context.Context, key string, data []byte) (kept []byte, err error) {
	data = bytes.Clone(data)
	err = b.do(ctx, "board.keep", func() error {
		if _, there := b.world.board.lasting[key]; !there {
			b.world.board.lasting[key] = data
		}
		kept = bytes.Clone(b.world.board.lasting[key])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}
