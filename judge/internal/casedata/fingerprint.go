package casedata

import (
	"context"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// Fingerprint returns a key of all that decides about a submission's result on prepared cases, besides
// the submission, its limits and the judge: the cases, the programs of the problem that judge outputs,
// and the rules for points. It reads all data, and builds these programs.
func (p *Provider) Fingerprint(ctx context.Context, list []cases.Case) (cache.Key, error) {
	h, q := cache.NewHasher("problem 2"), p.Problem
	if err := hashRules(h, q); err != nil {
		return "", err
	}
	for v := q.Validator; v != nil; v = v.Then {
		if err := p.programKey(ctx, h, v.Program); err != nil {
			return "", err
		}
	}
	if q.Grader != nil {
		if err := p.programKey(ctx, h, q.Grader.Program); err != nil {
			return "", err
		}
	}
	for i := range list {
		data, err := p.Load(ctx, &list[i])
		if err != nil {
			return "", err
		}
		if err := h.Value(data, list[i].Points, list[i].Submitted); err != nil {
			return "", err
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

// hashRules adds the settings that results depend on besides cases and programs. TestFingerprint gives the reason
// for each field that is left out.
func hashRules(h *cache.Hasher, q *problem.Problem) error {
	return h.Value(q.ID, q.Format, q.Dialect, q.InFile, q.OutFile, q.ReadOnly, q.Compare, q.Exceptions, q.Validator, q.Grader, q.Groups, q.Scoring)
}
