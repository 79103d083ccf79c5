package sandbox

import "time"

// Side is one of two programs that are connected.
type Side uint8

// The sides.
const (
	Left Side = iota
	Right
)

// Piece is what one side of a connection said at once, as far as it was kept.
type Piece struct {
	From Side
	At   time.Duration // since both began
	Text []byte
	Lost int64 // how many bytes of the same side before it were not kept
}
