//go:build linux

package sandbox

import (
	"slices"
	"time"
)

// keptPiece is a piece that a transcript keeps.
type keptPiece struct {
	Piece
	when  time.Time
	order int // the piece's number among those of both sides
}

// transcript keeps the first half bytes that one side writes, and the last half bytes.
type transcript struct {
	half           int // bytes to keep of the beginning, and of the end
	head, tail     []keptPiece
	inHead, inTail int   // bytes in head and in tail
	dropped        int   // how many pieces at the front of tail are no longer kept
	lost           int64 // bytes between head and tail
}

func (r *transcript) add(text []byte, when time.Time, order int) {
	if n := min(len(text), r.half-r.inHead); n > 0 {
		r.head = append(r.head, newPiece(text[:n], when, order))
		r.inHead += n
		text = text[n:]
	}
	if len(text) == 0 {
		return
	}
	r.drop(r.inTail + len(text) - r.half)
	if over := len(text) - r.half; over > 0 {
		r.lost += int64(over)
		text = text[over:]
	}
	r.tail = append(r.tail, newPiece(text, when, order))
	r.inTail += len(text)
}

// drop removes the first n bytes of the tail, or all of it.
func (r *transcript) drop(n int) {
	for ; n > 0 && r.dropped < len(r.tail); r.dropped++ {
		first := &r.tail[r.dropped]
		k := min(n, len(first.Text))
		first.Text = first.Text[k:]
		n -= k
		r.inTail -= k
		r.lost += int64(k)
		if len(first.Text) > 0 {
			break
		}
	}
	if r.dropped > len(r.tail)/2 {
		r.tail, r.dropped = slices.Delete(r.tail, 0, r.dropped), 0
	}
}

func (r *transcript) all() []keptPiece {
	tail := r.tail[r.dropped:]
	if len(tail) > 0 {
		tail[0].Lost = r.lost
	}
	return append(r.head, tail...)
}

func newPiece(text []byte, when time.Time, order int) keptPiece {
	return keptPiece{Piece: Piece{Text: append([]byte(nil), text...)}, when: when, order: order}
}
