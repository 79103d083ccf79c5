package report

// A Sink renders what a command tells, event by event, in one form.
type Sink[E any] interface {
	// Event renders e. Errors of the writer are kept for Close.
	Event(e E)

	// Close ends what is still under way and returns the first error of the writer.
	Close() error
}
