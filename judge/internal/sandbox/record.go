package sandbox

import (
	"slices"
	"time"
)

// spoken is a piece that is kept.
type spoken struct {
	Piece
	when  time.Time
	order int // among those of both sides
}

// record keeps of what one side says so many bytes from the beginning and as many
// from the end.
type record struct {
	half           int
	head, tail     []spoken
	inHead, inTail int   // bytes
	gone           int   // how many pieces tail begins with that are not kept any more
	lost           int64 // bytes between head and tail
}

func (r *record) add(text []byte, when time.Time, order int) {
	if n := min(len(text), r.half-r.inHead); n > 0 {
		r.head = append(r.head, speak(text[:n], when, order))
		r.inHead += n
		text = text[n:]
	}
	if len(text) == 0 {
		return
	}
	r.forget(r.inTail + len(text) - r.half)
	if over := len(text) - r.half; over > 0 {
		r.lost += int64(over)
		text = text[over:]
	}
	r.tail = append(r.tail, speak(text, when, order))
	r.inTail += len(text)
}

// forget gives up the first n bytes of the tail, or all that there are.
func (r *record) forget(n int) {
	for ; n > 0 && r.gone < len(r.tail); r.gone++ {
		first := &r.tail[r.gone]
		k := min(n, len(first.Text))
		first.Text = first.Text[k:]
		n -= k
		r.inTail -= k
		r.lost += int64(k)
		if len(first.Text) > 0 {
			break
		}
	}
	if r.gone > len(r.tail)/2 {
		r.tail, r.gone = slices.Delete(r.tail, 0, r.gone), 0
	}
}

// all returns what is kept.
func (r *record) all() []spoken {
	tail := r.tail[r.gone:]
	if len(tail) > 0 {
		tail[0].Lost = r.lost
	}
	return append(r.head, tail...)
}

func speak(text []byte, when time.Time, order int) spoken {
	return spoken{Piece: Piece{Text: append([]byte(nil), text...)}, when: when, order: order}
}
