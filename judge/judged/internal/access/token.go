package access

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// A token is the text tj_<id>_<secret>. The id is public, and names the token in lists and logs. Both
// parts are base32 in lower case: the id of 40 random bits, the secret of 128 random bits and a CRC-32
// of all before it, which finds every mistyped letter and every pair of swapped ones.
const (
	prefix     = "tj_"
	idSize     = 5  // bytes, which 8 letters encode
	secretSize = 16 // bytes, which with the checksum 32 letters encode
)

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func newID() string { return letters.EncodeToString(random(idSize)) }

// random returns that many random bytes. The package rand never fails.
func random(n int) []byte {
	bytes := make([]byte, n)
	rand.Read(bytes)
	return bytes
}

func format(id string, secret []byte) string {
	head := prefix + id + "_"
	sum := crc32.ChecksumIEEE(append([]byte(head), secret...))
	return head + letters.EncodeToString(binary.BigEndian.AppendUint32(slices.Clone(secret), sum))
}

// parse splits a token into its id and its secret. Only what format returns is a token.
func parse(text string) (id string, secret []byte, ok bool) {
	id, tail, _ := strings.Cut(strings.TrimPrefix(text, prefix), "_")
	idBytes, err := letters.DecodeString(id)
	if err != nil || len(idBytes) != idSize {
		return "", nil, false
	}
	secret, err = letters.DecodeString(tail)
	if err != nil || len(secret) < secretSize {
		return "", nil, false
	}
	secret = secret[:secretSize]
	return id, secret, format(id, secret) == text
}
