package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// taking is a service that takes submissions.
type taking struct{ nobody }

func (taking) Submit(context.Context, service.Request) (ledger.Submission, bool, error) {
	return ledger.Begun("x", 1, &ledger.Event{Submitted: &ledger.Submitted{Problem: "maze"}}), true, nil
}

// behind does not get to know what it has written.
type behind struct{ taking }

func (behind) Reach(ctx context.Context, _ uint64) error { return forever(ctx) }

// cutOff cannot ask whether there is more than it knows.
type cutOff struct{ taking }

func (cutOff) Lately(ctx context.Context, _ func() error) error { return forever(ctx) }

func forever(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestWaitCutOff hands something in and waits for its end. The client learns that it was taken, although
// the service cannot know more.
func TestWaitCutOff(t *testing.T) {
	t.Parallel()
	for _, s := range []Service{behind{}, cutOff{}} {
		body, err := json.Marshal(program("AC"))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", "/v1/judgings?wait=10ms", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", jsonType)
		r.Header.Set("Authorization", "Bearer ann")
		answer := httptest.NewRecorder()
		New(Options{Service: s, Tokens: everybody, Languages: languages}).ServeHTTP(answer, r)
		var j Judging
		if err := json.Unmarshal(answer.Body.Bytes(), &j); err != nil || answer.Code != http.StatusCreated || j.ID != "x" || j.Status != "waiting" {
			t.Errorf("%T: %d %s %v", s, answer.Code, answer.Body, err)
		}
	}
}
