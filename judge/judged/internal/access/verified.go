package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"sync"
)

// verified remembers the secrets of verified tokens, as hashes with a key that only this process has.
type verified struct {
	key  []byte
	most int // tokens to remember

	mu     sync.Mutex
	proofs map[string]proof // by the id of the token
}

// proof is the hash of the secret that is right for one revision of an entry.
type proof struct {
	revision uint64
	mac      [sha256.Size]byte
}

func newVerified(most int) *verified {
	return &verified{key: random(sha256.Size), most: most, proofs: map[string]proof{}}
}

// remember records that a secret is right for an entry. If there is no room, it forgets another token.
func (v *verified) remember(e Entry, secret []byte) {
	p := proof{e.Revision, v.mac(secret)}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, known := v.proofs[e.ID]; !known && len(v.proofs) == v.most {
		for other := range v.proofs {
			delete(v.proofs, other)
			break
		}
	}
	v.proofs[e.ID] = p
}

// recall reports whether the right secret for an entry is known, and whether this is it.
func (v *verified) recall(e Entry, secret []byte) (right, known bool) {
	v.mu.Lock()
	p, known := v.proofs[e.ID]
	v.mu.Unlock()
	if !known || p.revision != e.Revision {
		return false, false
	}
	mac := v.mac(secret)
	return hmac.Equal(mac[:], p.mac[:]), true
}

// mac returns the keyed hash of a secret.
func (v *verified) mac(secret []byte) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, v.key)
	h.Write(secret)
	h.Sum(sum[:0])
	return sum
}
