package problem

import "slices"

// Feedback is how much of a judging its submitter sees. Who sees the submissions of others sees everything.
// The zero Feedback is that of a problem that says nothing.
type Feedback string

// The kinds of feedback, each with everything that those before it show.
const (
	NoFeedback      Feedback = "none"    // that the judging has ended, and what the compiler said
	FeedbackVerdict Feedback = "verdict" // the verdict and the points
	FeedbackSamples Feedback = "samples" // samples whole; of other cases name, verdict, times and memory
	FeedbackFirst   Feedback = "first"   // the first case that failed whole
	FeedbackAll     Feedback = "all"     // every case whole
)

// Feedbacks returns all kinds of feedback, from the least to the most.
func Feedbacks() []Feedback {
	return []Feedback{NoFeedback, FeedbackVerdict, FeedbackSamples, FeedbackFirst, FeedbackAll}
}

// Shows reports whether f shows what g shows. What is not one of [Feedbacks] shows nothing.
func (f Feedback) Shows(g Feedback) bool {
	all := Feedbacks()
	return slices.Index(all, f) >= slices.Index(all, g)
}
