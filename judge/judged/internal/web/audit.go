package web

import (
	"context"
	"log/slog"
	"net/http"
)

// audit records a request that changes something, or tried to. It records no token, no source and nothing else from
// the client, except ids that the service made or checked.
func (w *Web) audit(row *row, r *http.Request, q *request, status int) {
	if row.method == http.MethodGet || len(row.scopes) == 0 {
		return
	}
	w.o.Audit.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request",
		slog.String("token", q.caller.Token), slog.String("owner", q.caller.Owner), slog.String("address", address(r)),
		slog.String("method", row.method), slog.String("route", row.path), slog.String("object", q.object), slog.Int("status", status))
}
