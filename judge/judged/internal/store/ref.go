package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// MaxInline is the size in bytes of the largest content that a Ref carries itself. Most sources and results are
// smaller; storing them as blobs would cost several writes each.
const MaxInline = 32 << 10

// Ref names a content by its hash, and carries it if it is small. The zero value names nothing.
type Ref struct {
	Hash   string `json:"sha256"` // in hexadecimal
	Size   int64  `json:"size"`
	Inline []byte `json:"inline,omitempty"`
}

// RefOf returns a reference to data, without storing or carrying it.
func RefOf(data []byte) Ref {
	sum := sha256.Sum256(data)
	return Ref{Hash: hex.EncodeToString(sum[:]), Size: int64(len(data))}
}

// Stow returns a reference that carries data if it is small, and stores larger data in blobs.
func Stow(ctx context.Context, blobs Blobs, data []byte) (Ref, error) {
	if len(data) > MaxInline {
		return blobs.Put(ctx, data)
	}
	ref := RefOf(data)
	ref.Inline = data
	return ref, nil
}

// Fetch returns the content of a reference, checked against the hash wherever it comes from.
func Fetch(ctx context.Context, blobs Blobs, ref Ref) ([]byte, error) {
	if ref.Inline == nil && ref.Size > 0 {
		return blobs.Get(ctx, ref)
	}
	return ref.Inline, ref.Check(ref.Inline)
}

// Valid returns an error unless the reference names something and matches the data that it carries. Callers check
// references from elsewhere before they use them: hashes become words of subjects.
func (r Ref) Valid() error {
	if sum, err := hex.DecodeString(r.Hash); err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("%.70q is not the hash of a content", r.Hash)
	}
	if r.Inline != nil || r.Size == 0 {
		return r.Check(r.Inline)
	}
	return nil
}

// Check returns an error, which wraps ErrDamaged, unless data is the content of the reference.
func (r Ref) Check(data []byte) error {
	if got := RefOf(data); got.Hash != r.Hash || got.Size != r.Size {
		return fmt.Errorf("content %.12s of %d bytes is not %.12s of %d bytes, as announced: %w", got.Hash, got.Size, r.Hash, r.Size, ErrDamaged)
	}
	return nil
}
