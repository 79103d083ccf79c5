package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tribunal/judge/judged/internal/store"
)

// StoreBlob stores a content to which later submissions of an owner can refer, for at least a day from now, even if
// it was stored before. A submission that refers to it by then keeps it.
func (s *Service) StoreBlob(ctx context.Context, owner string, data []byte) (store.Ref, error) {
	if err := s.o.Room(); err != nil {
		return store.Ref{}, err
	}
	ref, day := store.RefOf(data), s.today()
	// The mark comes first: a cleanup that removes the content now either sees the mark, or has removed the content
	// before it is stored.
	for _, content := range [][]byte{s.mark(ref, day), data, s.receipt(owner, ref, day)} {
		if _, err := s.store.Blobs.Put(ctx, content); err != nil {
			return ref, err
		}
	}
	return ref, nil
}

// Blob returns a content that an owner has stored. The error wraps [store.ErrNotFound] if it is not there, or only
// others have stored it: hashes are no secrets, and the hash of a version of a problem is its name.
func (s *Service) Blob(ctx context.Context, owner string, ref store.Ref) ([]byte, error) {
	has, err := s.hasLately(ctx, func(day int64) []byte { return s.receipt(owner, ref, day) })
	if err == nil && !has {
		err = fmt.Errorf("blob %.12s of %s: %w", ref.Hash, owner, store.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return s.store.Blobs.Get(ctx, ref)
}

// The age of a content is that of its first storing. So contents that expire name the day on which they are
// stored, and are looked for until the end of the next.

// today returns the number of the day.
func (s *Service) today() int64 { return s.o.Now().Unix() / int64(24*time.Hour/time.Second) }

// receipt returns a content whose presence in the store shows that this owner stored a blob on a day. No client can
// make it.
func (s *Service) receipt(owner string, ref store.Ref, day int64) []byte {
	return []byte(s.proof(fmt.Sprintf("blob %s %d %d %s", ref.Hash, ref.Size, day, owner)))
}

// mark returns a content whose presence in the store shows that an owner stored a blob on a day.
func (s *Service) mark(ref store.Ref, day int64) []byte {
	return []byte(s.proof(fmt.Sprintf("stored %s %d", ref.Hash, day)))
}

// hasLately reports whether the store has a content of today or of the day before.
func (s *Service) hasLately(ctx context.Context, of func(day int64) []byte) (bool, error) {
	for _, day := range []int64{s.today(), s.today() - 1} {
		_, err := s.store.Blobs.Get(ctx, store.RefOf(of(day)))
		if !errors.Is(err, store.ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}

// Content returns a content, checked against its hash and size. The error wraps [store.ErrNotFound] if
// it is not there.
func (s *Service) Content(ctx context.Context, ref store.Ref) ([]byte, error) {
	return store.Fetch(ctx, s.store.Blobs, ref)
}
