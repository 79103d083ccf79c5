package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/packages/parcel"
)

// Pauses between the rounds in which problems are published: the first, and the longest.
const (
	publishAgain = time.Second
	publishPause = time.Minute
)

// publish uploads problems, and skips those with mistakes. If an upload fails for another reason, it tries again,
// in rounds, until ctx ends: a service whose store is away or full judges the problems that it has.
func publish(ctx context.Context, ids []string, upload func(ctx context.Context, id string) error, log *slog.Logger) {
	for pause := publishAgain; ; pause = min(2*pause, publishPause) {
		var left []string
		for _, id := range ids {
			err := upload(ctx, id)
			_, located := errors.AsType[*yamlstrict.Error](err)
			switch {
			case err == nil:
			case ctx.Err() != nil:
				return
			case located || errors.Is(err, service.ErrInvalid):
				log.Error("a problem is left out, its present version is not published", "problem", id, "error", err)
			default:
				log.Warn("a problem cannot be published yet, trying again", "problem", id, "error", err)
				left = append(left, id)
			}
		}
		if ids = left; len(ids) == 0 {
			return
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// upload uploads a problem of the repository in its present version. If something in the repository is wrong,
// the error is a [*yamlstrict.Error].
func (s *serveOptions) upload(ctx context.Context, svc *service.Service, id string, log *slog.Logger) error {
	var archive bytes.Buffer
	if err := parcel.Pack(s.worker.root, id, &archive); err != nil {
		return err
	}
	v, added, err := svc.Upload(ctx, service.Upload{ID: id, Title: id, By: "judged serve", Archive: archive.Bytes(), Quick: true, Newest: true})
	if err != nil {
		return fmt.Errorf("publishing %s: %w", id, err)
	}
	log.Info("published", "problem", id, "version", v.ID[:12], "new", added)
	return nil
}
