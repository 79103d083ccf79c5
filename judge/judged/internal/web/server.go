package web

import (
	"log"
	"log/slog"
	"net/http"
	"time"
)

// NewServer returns a server for the API, which the caller starts and shuts down. Its bounds are for connections;
// each route has bounds of its own for bodies and answers. Shutdown ends streams, whose clients then reconnect to
// another service, and waits for all other requests.
func NewServer(w *Web) *http.Server {
	s := &http.Server{
		Handler:           w,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute, // for requests without a route; the gate sets that of each route
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(errorLog{w.o.Log}, "", 0),
	}
	s.RegisterOnShutdown(w.end)
	if w.o.Pages != nil {
		s.RegisterOnShutdown(w.o.Pages.End)
	}
	return s
}

// errorLog logs what net/http reports about connections, mostly that clients went away.
type errorLog struct{ to *slog.Logger }

func (e errorLog) Write(p []byte) (int, error) {
	e.to.Debug("http", "message", string(p))
	return len(p), nil
}
