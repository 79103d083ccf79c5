package simstore

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"tribunal/judge/judged/internal/store"
)

// contents are the blobs of a world.
type contents struct {
	byHash map[string]content
	byName map[string][]byte
}

// content is a blob, and when it was stored first.
type content struct {
	data []byte
	at   time.Time
}

// blobs are the blobs as an actor sees them.
type blobs struct{ *Actor }

func (b blobs) Put(ctx context.Context, data []byte) (store.Ref, error) {
	data = bytes.Clone(data)
	ref := store.RefOf(data)
	return ref, b.do(ctx, "blobs.put", func() error {
		if _, there := b.world.blobs.byHash[ref.Hash]; !there {
			b.world.blobs.byHash[ref.Hash] = content{data, b.world.o.Now()}
		}
		return nil
	})
}

func (b blobs) Get(ctx context.Context, ref store.Ref) (data []byte, err error) {
	err = b.do(ctx, "blobs.get", func() error {
		stored, there := b.world.blobs.byHash[ref.Hash]
		if !there {
			return store.ErrNotFound
		}
		data = bytes.Clone(stored.data)
		return ref.Check(data)
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (b blobs) Delete(ctx context.Context, hash string) error {
	return b.do(ctx, "blobs.delete", func() error {
		delete(b.world.blobs.byHash, hash)
		return nil
	})
}

func (b blobs) List(ctx context.Context, before time.Time) (list []store.Ref, err error) {
	err = b.do(ctx, "blobs.list", func() error {
		for _, hash := range slices.Sorted(maps.Keys(b.world.blobs.byHash)) {
			if c := b.world.blobs.byHash[hash]; c.at.Before(before) {
				list = append(list, store.Ref{Hash: hash, Size: int64(len(c.data))})
			}
		}
		return nil
	})
	return list, err
}

func (b blobs) PutNamed(ctx context.Context, name string, data []byte) error {
	data = bytes.Clone(data)
	return b.do(ctx, "blobs.putnamed", func() error {
		b.world.blobs.byName[name] = data
		return nil
	})
}

func (b blobs) GetNamed(ctx context.Context, name string) (data []byte, err error) {
	err = b.do(ctx, "blobs.getnamed", func() error {
		stored, there := b.world.blobs.byName[name]
		if !there {
			return store.ErrNotFound
		}
		data = bytes.Clone(stored)
		return nil
	})
	return data, err
}
