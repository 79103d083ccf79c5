package sandbox

// Running is a run in progress.
type Running struct{}
