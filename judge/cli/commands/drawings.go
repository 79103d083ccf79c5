package commands

import (
	"context"
	"crypto/sha256"
	"slices"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// The bounds of the drawings in a report, which keep it small enough to be mailed.
const (
	mostDrawn    = 64 * limits.KiB  // of an output that is drawn, and of a picture
	mostPictures = 320 * limits.KiB // of all: with 200 submissions and 55 cases, the page stays below 3 MB
	maxPictures  = 50
	maxBroken    = 3 // failures of the draw program after which it is given up
)

// drawings draws the cases that decided the verdicts of submissions, after these have been judged. All
// problems of a report share one. Equal outputs on a case are drawn once.
type drawings struct {
	known  map[drawnKey]drawn
	count  int
	size   limits.Bytes
	broken int
}

type drawnKey struct {
	problem, name string
	given         bool // an output is drawn
	output        [sha256.Size]byte
}

// drawFunc draws a case with an output.
type drawFunc func(ctx context.Context, c *cases.Case, output []byte) ([]byte, error)

type drawn struct {
	picture []byte
	undrawn string
}

// draw sets the pictures of the cases in list, or why they have none. It never fails, because a draw
// program must not change what is known of submissions; note gets the failures of the program. picture
// is [casedata.Provider.Draw] of the problem with this id.
func (d *drawings) draw(ctx context.Context, id string, picture drawFunc, list []cases.Case, submissions []*account.Submission, note func(error)) {
	if d.known == nil {
		d.known = map[drawnKey]drawn{}
	}
	for _, s := range submissions {
		c := s.Deciding()
		if c == nil || c.Verdict == verdict.JE {
			continue
		}
		key := drawnKey{id, c.Name, c.Output != nil, sha256.Sum256(c.Output)}
		one, known := d.known[key]
		if !known {
			i := slices.IndexFunc(list, func(k cases.Case) bool { return k.Name == c.Name })
			one = d.one(ctx, picture, &list[i], c.Output, note)
			d.known[key] = one
		}
		c.Picture, c.Undrawn = one.picture, one.undrawn
		c.Output = nil
	}
}

// one draws a case with an output.
func (d *drawings) one(ctx context.Context, draw drawFunc, c *cases.Case, output []byte, note func(error)) drawn {
	switch {
	case output == nil:
		return drawn{undrawn: "the output is long, or from a journal"}
	case d.count == maxPictures || d.size+mostDrawn > mostPictures:
		return drawn{undrawn: "the page has enough drawings"}
	case d.broken == maxBroken:
		return drawn{undrawn: "the draw program has failed on other cases"}
	}
	picture, err := draw(ctx, c, output)
	switch {
	case ctx.Err() != nil:
		return drawn{undrawn: "interrupted"}
	case err != nil:
		d.broken++
		note(err)
		return drawn{undrawn: "the draw program failed"}
	case len(picture) > int(mostDrawn):
		return drawn{undrawn: "the drawing is large"}
	}
	d.count++
	d.size += limits.Bytes(len(picture))
	return drawn{picture: picture}
}
