package perform

import (
	"context"
	"errors"
	"slices"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/task"
)

// The bounds of a drawing.
const (
	mostDrawn   = 64 * limits.KiB // of an output that is drawn, and of a picture
	mostOutputs = 16              // outputs that are kept until it is known which case decides
	mostSlow    = 3               // drawings that took too long, after which there are no more
)

// drawTime is how long a verdict waits for a drawing. Tests shorten it.
var drawTime = 5 * time.Second

// outputs are those of failing cases, by name.
type outputs map[string][]byte

func (o outputs) keep(e grade.Event) {
	if c, ok := e.(*grade.Case); ok && c.Output != nil && len(o) < mostOutputs {
		o[c.Name] = c.Output
	}
}

// draw draws the case that decided, with the output of the submission. A draw program that fails changes nothing else
// about a judging.
func (o outputs) draw(ctx context.Context, of *openVersion, list []cases.Case, d *grade.Done) *task.Drawing {
	i := slices.IndexFunc(list, func(c cases.Case) bool { return c.Name == d.First })
	if i < 0 || d.Verdict == verdict.AC {
		return nil
	}
	made := &task.Drawing{Case: d.First}
	output, kept := o[d.First]
	switch {
	case !kept:
		made.Error = "the output is long, or comes after many others"
		return made
	case of.slow.Load() >= mostSlow:
		made.Error = "the draw program took too long on other submissions"
		return made
	}
	data := of.problem.CaseData
	_, err := data.Program(ctx, data.Problem.Draw) // building it takes time of its own
	var picture []byte
	if err == nil {
		ctx, stop := context.WithTimeout(ctx, drawTime)
		defer stop()
		picture, err = data.Draw(ctx, &list[i], output)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		of.slow.Add(1)
		made.Error = "the draw program takes too long"
	case err != nil:
		made.Error = "the draw program: " + cut(err.Error())
	case len(picture) > int(mostDrawn):
		made.Error = "the drawing is larger than " + mostDrawn.String()
	default:
		made.SVG = string(picture)
	}
	return made
}
