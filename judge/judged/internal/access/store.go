package access

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Entry describes a stored token, without its secret.
type Entry struct {
	ID string `json:"id"`
	Grant
	Hash    string    `json:"hash"` // of the secret, in the format of the Password Hashing Competition; not to be shown
	Created time.Time `json:"created"`
	Revoked time.Time `json:"revoked,omitzero"`
	Course  string    `json:"course,omitempty"` // of an invitation; see Pass
	// Revision is the number that the store gave to this version of the entry, and 0 for a new entry.
	Revision uint64 `json:"-"`
}

// Grant is a request to issue a token: its owner, scopes and lifetime.
type Grant struct {
	Name    string    `json:"name"`             // for people: what the token is used for
	Owner   string    `json:"owner"`            // who sends the requests with it, such as a course or a person
	Scopes  []Scope   `json:"scopes"`           // each once, in the order of Scopes
	Expires time.Time `json:"expires,omitzero"` // the first moment at which it is not valid; zero for never
}

var (
	ErrNotFound = errors.New("no such token")
	ErrConflict = errors.New("the token was changed meanwhile (hint: try again)")
)

// Store keeps entries. It is safe for concurrent use, and the caller may change the slices of what it
// passes and gets. Every version of an entry has its own revision, greater than those of earlier ones,
// even if the entry was deleted between them. The package accesstest checks all this.
//
// Tokens gets an entry for each request, so a remote store should answer from a local copy. A token is
// revoked as soon as Get returns its new entry.
type Store interface {
	// Get returns the entry with this id. The error wraps ErrNotFound if there is none.
	Get(ctx context.Context, id string) (Entry, error)
	// Put stores a version of an entry, if that in the store still has the revision of e, or if the
	// revision is 0 and the store has none. Otherwise the error wraps ErrConflict. It returns the
	// new revision.
	Put(ctx context.Context, e Entry) (revision uint64, err error)
	// List returns all entries, in any order.
	List(ctx context.Context) ([]Entry, error)
	// Delete removes the entry with this id, if there is one.
	Delete(ctx context.Context, id string) error
	// CatchUp waits until Get knows every version that any process has stored before.
	CatchUp(ctx context.Context) error
}

// clone returns a copy that shares no slice with e.
func (e Entry) clone() Entry {
	e.Scopes = slices.Clone(e.Scopes)
	return e
}
