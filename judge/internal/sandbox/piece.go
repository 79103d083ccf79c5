package sandbox

import "time"

// Side is one of two connected programs.
type Side uint8

const (
	Left Side = iota
	Right
)

// Piece is a part of a transcript: what one side wrote at once, as far as it was kept.
type Piece struct {
	From Side
	At   time.Duration // time since both programs began
	Text []byte
	Lost int64 // bytes of the same side just before it that were not kept
}
