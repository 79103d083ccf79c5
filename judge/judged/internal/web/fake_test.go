package web

import (
	"context"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// nobody is a service that knows nothing and takes nothing.
type nobody struct{}

func (nobody) Submit(context.Context, service.Request) (ledger.Submission, bool, error) {
	return ledger.Submission{}, false, service.ErrUnknown
}
func (nobody) Get(string) (ledger.Submission, error) {
	return ledger.Submission{}, service.ErrUnknown
}
func (nobody) Position(string, int) int                                            { return 0 }
func (nobody) List(func(*ledger.Submission) bool, string, int) []ledger.Submission { return nil }
func (nobody) Result(context.Context, string, int) ([]byte, error)                 { return nil, service.ErrUnknown }
func (nobody) Submitted(context.Context, string) (*ledger.Submitted, error) {
	return nil, service.ErrUnknown
}

func (nobody) Source(context.Context, string) (*ledger.Submitted, []byte, error) {
	return nil, nil, service.ErrUnknown
}
func (nobody) Cancel(context.Context, string, int, string, string) error { return service.ErrUnknown }
func (nobody) Release(context.Context, string, int, string) error        { return service.ErrUnknown }
func (nobody) Erase(context.Context, string, string) error               { return service.ErrUnknown }
func (nobody) EraseSubmitter(context.Context, string, string) (int, error) {
	return 0, nil
}
func (nobody) Courses() []ledger.CourseState      { return nil }
func (nobody) People(string) []ledger.PersonState { return nil }
func (nobody) CoursesOf(string) []string          { return nil }
func (nobody) Course(string) (ledger.CourseState, error) {
	return ledger.CourseState{}, service.ErrUnknown
}
func (nobody) SetCourse(context.Context, string, ledger.Course, uint64, string) error {
	return service.ErrUnknown
}
func (nobody) Person(string, string) (ledger.PersonState, error) {
	return ledger.PersonState{}, service.ErrUnknown
}
func (nobody) SetPerson(context.Context, string, ledger.Person, uint64, string) error {
	return service.ErrUnknown
}
func (nobody) ErasePerson(context.Context, string, string, string) error { return service.ErrUnknown }
func (nobody) Snapshot(context.Context) error                            { return nil }
func (nobody) Watch(string) (*ledger.Submission, *service.Watch, error) {
	return nil, nil, service.ErrUnknown
}
func (nobody) WatchAll(func(*ledger.Submission) bool) *service.Watch {
	panic("nobody watches")
}
func (nobody) Watchers() int { return 0 }
func (nobody) Rejudge(context.Context, []string, string, string) (string, error) {
	return "", service.ErrUnknown
}
func (nobody) Batches() []service.Batch                          { return nil }
func (nobody) Preview(string) (service.Preview, error)           { return service.Preview{}, service.ErrUnknown }
func (nobody) Apply(context.Context, string, string, bool) error { return service.ErrUnknown }
func (nobody) Upload(context.Context, service.Upload) (ledger.Version, bool, error) {
	return ledger.Version{}, false, service.ErrInvalid
}
func (nobody) AwaitCheck(context.Context, string, string) (ledger.Version, error) {
	return ledger.Version{}, service.ErrUnknown
}
func (nobody) Problems() []service.Problem { return nil }
func (nobody) Version(string, string) (ledger.Version, error) {
	return ledger.Version{}, service.ErrUnknown
}
func (nobody) Blob(context.Context, string, store.Ref) ([]byte, error) { return nil, store.ErrNotFound }
func (nobody) StoreBlob(_ context.Context, _ string, data []byte) (store.Ref, error) {
	return store.RefOf(data), nil
}
func (nobody) Content(context.Context, store.Ref) ([]byte, error) { return nil, store.ErrNotFound }
func (nobody) Offer(context.Context) func(string) (bool, int) {
	return func(string) (bool, int) { return true, 1 }
}
func (nobody) Workers(context.Context) (map[string]service.Worker, error)        { return nil, nil }
func (nobody) Stats() service.Stats                                              { return service.Stats{} }
func (nobody) Metrics() *service.Metrics                                         { return &service.Metrics{} }
func (nobody) CallBack(context.Context, string, string) error                    { return nil }
func (nobody) Calls(int, func(context.Context, ledger.Submission, string) error) {}
func (nobody) Ready(context.Context) error                                       { return nil }
func (nobody) Reach(context.Context, uint64) error                               { return nil }
func (nobody) Lately(_ context.Context, look func() error) error                 { return look() }
