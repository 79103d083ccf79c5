package web

import (
	"log"
	"log/slog"
	"net/http"
	"time"
)

// NewServer returns a server for the API, which the caller starts and shuts down. Its bounds are those
// of connections; each route has its own for bodies and answers. Shutdown ends streams, whose clients
// then come back to another service, and waits for all other requests.
func NewServer(w *Web) *http.Server {
	s := &http.Server{
		Handler:           w,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute, // of what no route is for; the gate of each sets its own
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(errorLog{w.o.Log}, "", 0),
	}
	s.RegisterOnShutdown(w.end)
	return s
}

// errorLog passes on what net/http says about connections. Most of it is about clients that went away.
type errorLog struct{ to *slog.Logger }

func (e errorLog) Write(p []byte) (int, error) {
	e.to.Debug("http", "message", string(p))
	return len(p), nil
}
