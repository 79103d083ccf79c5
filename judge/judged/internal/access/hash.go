package access

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Cost is the cost of one hash with Argon2id (RFC 9106), and so of each guess of a secret.
type Cost struct {
	MemoryKiB uint32
	Passes    uint32
	Threads   uint8
}

// usual is the lowest cost that OWASP recommends for passwords. A hash takes tens of milliseconds of a CPU.
var usual = Cost{MemoryKiB: 19 << 10, Passes: 2, Threads: 1}

// The sizes of new hashes in bytes, and the bounds for stored ones, so that a damaged entry cannot take
// all memory.
const (
	saltSize, keySize       = 16, 32
	leastSalt, mostSalt     = 8, 64
	leastKey, mostKey       = 16, 64
	mostMemoryKiB           = 1 << 20
	mostPasses, mostThreads = 100, 64
)

// weaker reports whether secrets are cheaper to try with c than with d.
func (c Cost) weaker(d Cost) bool {
	return uint64(c.MemoryKiB)*uint64(c.Passes) < uint64(d.MemoryKiB)*uint64(d.Passes)
}

// valid reports whether Argon2 is defined for the cost, and within bounds.
func (c Cost) valid() bool {
	return c.Passes >= 1 && c.Passes <= mostPasses && c.Threads >= 1 && c.Threads <= mostThreads &&
		c.MemoryKiB >= 8*uint32(c.Threads) && c.MemoryKiB <= mostMemoryKiB
}

// hash is the stored form of a secret.
type hash struct {
	cost      Cost
	salt, key []byte
}

// derive computes a key of this size from a secret, at the given cost.
type derive func(secret, salt []byte, c Cost, size int) []byte

// argon is the real derive.
func argon(secret, salt []byte, c Cost, size int) []byte {
	return argon2.IDKey(secret, salt, c.Passes, c.MemoryKiB, c.Threads, uint32(size))
}

func (d derive) newHash(secret []byte, c Cost) hash {
	salt := random(saltSize)
	return hash{c, salt, d(secret, salt, c, keySize)}
}

// matches reports whether h is the hash of a secret. How long it takes depends on h alone.
func (d derive) matches(secret []byte, h hash) bool {
	return subtle.ConstantTimeCompare(d(secret, h.salt, h.cost, len(h.key)), h.key) == 1
}

// String returns the hash in the format of the Password Hashing Competition, which names the
// algorithm, its version and its cost, such as $argon2id$v=19$m=19456,t=2,p=1$<salt>$<key>.
func (h hash) String() string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.cost.MemoryKiB, h.cost.Passes, h.cost.Threads, encode(h.salt), encode(h.key))
}

// parseHash parses what String returns, and nothing else.
func parseHash(text string) (hash, error) {
	var h hash
	if part := strings.Split(text, "$"); len(part) == 6 {
		// What these two readers accept in excess, the comparison below does not.
		fmt.Sscanf(part[3], "m=%d,t=%d,p=%d", &h.cost.MemoryKiB, &h.cost.Passes, &h.cost.Threads)
		h.salt, _ = base64.RawStdEncoding.DecodeString(part[4])
		h.key, _ = base64.RawStdEncoding.DecodeString(part[5])
	}
	within := func(n, least, most int) bool { return n >= least && n <= most }
	if !h.cost.valid() || !within(len(h.salt), leastSalt, mostSalt) || !within(len(h.key), leastKey, mostKey) || h.String() != text {
		return hash{}, errors.New("the stored hash is damaged or of an unknown kind (hint: delete the token and issue another)")
	}
	return h, nil
}
