package casedata

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
)

// Fingerprint returns a key of all that decides about a submission's result on prepared cases, besides
// the submission, its limits and the judge: the cases, the programs of the problem that judge outputs,
// and the rules for points. It reads all data, and builds these programs.
func (p *Provider) Fingerprint(ctx context.Context, list []cases.Case) (cache.Key, error) {
	h := cache.NewHasher("problem 1")
	q := p.Problem
	h.Text(q.ID, q.Format, q.Dialect, q.InFile, q.OutFile, fmt.Sprint(q.ReadOnly), fmt.Sprintf("%+v", q.Compare))
	for v := q.Validator; v != nil; v = v.Then {
		one := *v
		one.Then = nil
		h.Text(fmt.Sprintf("%+v", one))
		if err := p.programKey(ctx, h, v.Program); err != nil {
			return "", err
		}
	}
	if q.Grader != nil {
		h.Text(fmt.Sprintf("%+v", *q.Grader))
		if err := p.programKey(ctx, h, q.Grader.Program); err != nil {
			return "", err
		}
	}
	rules(h, q.Scoring)
	for i := range list {
		data, err := p.Load(ctx, &list[i])
		if err != nil {
			return "", err
		}
		h.Text(data.Name, strings.Join(data.Args, "\x00"), strings.Join(data.Flags, "\x00"), data.Asked, fmt.Sprint(list[i].Points))
		if data.Compare != nil {
			h.Text(fmt.Sprintf("%+v", *data.Compare))
		}
		if err := h.Content(data.Input); err != nil {
			return "", err
		}
		if err := h.Content(data.Want); err != nil {
			return "", err
		}
		for _, name := range slices.Sorted(maps.Keys(data.Files)) {
			h.Text(name)
			h.Bytes(data.Files[name])
		}
	}
	return h.Key(), nil
}

func (p *Provider) programKey(ctx context.Context, h *cache.Hasher, path string) error {
	program, err := p.Program(ctx, path)
	if err == nil {
		h.Text(string(program.Key))
	}
	return err
}

// rules adds a group with its inner groups.
func rules(h *cache.Hasher, g *points.Group) {
	if g == nil {
		h.Text("none")
		return
	}
	h.Text(g.Name, fmt.Sprint(g.Cases), fmt.Sprintf("%T%+v", g.Rule, g.Rule), fmt.Sprint(len(g.Groups)))
	for _, inner := range g.Groups {
		rules(h, inner)
	}
}
