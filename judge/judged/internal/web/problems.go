package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

type ProblemInfo struct {
	ID       string        `json:"id" example:"maze"`
	Title    string        `json:"title" doc:"of the newest version"`
	Newest   string        `json:"newest,omitempty" doc:"the version that counts if none is named; absent if none can be judged"`
	Versions []VersionInfo `json:"versions" doc:"the newest first"`
}

type VersionInfo struct {
	Problem  string    `json:"problem"`
	Version  string    `json:"version" doc:"the SHA-256 of its package"`
	Title    string    `json:"title,omitempty"`
	By       string    `json:"by" doc:"who uploaded it"`
	Created  time.Time `json:"created"`
	Size     int64     `json:"size" doc:"of the package, in bytes"`
	Status   string    `json:"status" enum:"waiting,usable,unusable" doc:"waiting: for its check by a worker. Submissions are taken meanwhile and judged afterwards."`
	Cases    int       `json:"cases,omitempty"`
	Findings []string  `json:"findings,omitempty" doc:"what the check found; absent for those who only submit"`
	Cost     int64     `json:"cost_ns,omitempty" doc:"what a judging takes on average"`
}

// versionOf returns the form of a version in which a caller sees it. Its findings may quote its cases.
func versionOf(c *Caller, v *ledger.Version) VersionInfo {
	status := "waiting"
	if v.Usable {
		status = "usable"
	} else if v.Checked {
		status = "unusable"
	}
	info := VersionInfo{
		Problem: v.Problem, Version: v.ID, Title: v.Title, By: v.By, Created: v.At, Size: v.Archive.Size,
		Status: status, Cases: v.Cases, Cost: int64(v.Cost),
	}
	if c.jury() || c.may(access.Problems) {
		info.Findings = v.Findings
	}
	return info
}

func problemInfo(c *Caller, p *service.Problem) ProblemInfo {
	info := ProblemInfo{ID: p.ID, Newest: p.Newest, Versions: make([]VersionInfo, len(p.Versions))}
	for i := range p.Versions {
		info.Versions[i] = versionOf(c, &p.Versions[i])
		if v := &p.Versions[i]; v.ID == p.Newest || info.Title == "" {
			info.Title = v.Title
		}
	}
	return info
}

type ProblemList struct {
	Problems []ProblemInfo `json:"problems"`
}

type listProblemsOutput struct{ Body ProblemList }

func (w *Web) listProblems(ctx context.Context, _ *struct{}) (*listProblemsOutput, error) {
	out := &listProblemsOutput{ProblemList{[]ProblemInfo{}}}
	for _, p := range w.o.Service.Problems() {
		out.Body.Problems = append(out.Body.Problems, problemInfo(callerOf(ctx), &p))
	}
	return out, nil
}

type getProblemInput struct {
	ID string `path:"id" maxLength:"64"`
}

type getProblemOutput struct{ Body ProblemInfo }

func (w *Web) getProblem(ctx context.Context, in *getProblemInput) (*getProblemOutput, error) {
	out := &getProblemOutput{}
	return out, w.o.Service.Lately(ctx, func() error {
		for _, p := range w.o.Service.Problems() {
			if p.ID == in.ID {
				out.Body = problemInfo(callerOf(ctx), &p)
				return nil
			}
		}
		return fmt.Errorf("problem %s: %w", in.ID, service.ErrUnknown)
	})
}

type createProblemInput struct {
	ID      string `query:"id" required:"true" maxLength:"63" doc:"id of the problem: lower-case letters, digits, _ and -" example:"maze"`
	Title   string `query:"title" maxLength:"200" doc:"until a worker has read it; by default the id"`
	Wait    string `query:"wait" doc:"Wait for the check, at most for this time." example:"30s"`
	RawBody []byte `contentType:"application/zip"`
}

type versionOutput struct {
	Status int
	Body   VersionInfo
}

// createProblem takes a package, and waits for its check if the client wants that.
func (w *Web) createProblem(ctx context.Context, in *createProblemInput) (*versionOutput, error) {
	d, err := w.waitOf(in.Wait)
	if err != nil {
		return nil, err
	}
	v, added, err := w.uploaded(ctx, service.Upload{ID: in.ID, Title: cmp.Or(in.Title, in.ID), Archive: in.RawBody, Newest: true})
	if err != nil {
		return nil, err
	}
	if d > 0 && !v.Checked {
		serving, stop := w.whileServing(ctx)
		defer stop()
		waiting, cancel := context.WithTimeout(serving, d)
		defer cancel()
		if v, err = w.o.Service.AwaitCheck(waiting, v.Problem, v.ID); err != nil {
			return nil, err
		}
	}
	out := &versionOutput{http.StatusOK, versionOf(callerOf(ctx), &v)}
	if added {
		out.Status = http.StatusCreated
	}
	return out, nil
}

func (w *Web) upload(ctx context.Context, u service.Upload) (ledger.Version, error) {
	v, _, err := w.uploaded(ctx, u)
	return v, err
}

func (w *Web) uploaded(ctx context.Context, u service.Upload) (v ledger.Version, added bool, err error) {
	c := callerOf(ctx)
	if !c.may(access.Problems) {
		return v, false, c.lacks(access.Problems)
	}
	if u.ID == ledger.InlineProblem {
		return v, false, wrong("id", "%s is reserved", u.ID)
	}
	if err := checkArchive(u.Archive, packageArchive); err != nil {
		return v, false, wrong("package", "%v", err)
	}
	u.By = c.Owner
	v, added, err = w.o.Service.Upload(ctx, u)
	if err == nil {
		about(ctx, v.Problem+"@"+v.ID)
	}
	return v, added, err
}

type putBlobInput struct {
	SHA256  string `path:"sha256" pattern:"^[0-9a-f]{64}$"`
	RawBody []byte `contentType:"application/octet-stream"`
}

type putBlobOutput struct {
	Status int
	Body   Blob
}

// putBlob stores a source to which submissions of the same owner can refer.
func (w *Web) putBlob(ctx context.Context, in *putBlobInput) (*putBlobOutput, error) {
	if got := store.RefOf(in.RawBody).Hash; got != in.SHA256 {
		return nil, refuse(http.StatusUnprocessableEntity, "the SHA-256 of the body is %s", got)
	}
	ref, err := w.o.Service.StoreBlob(ctx, callerOf(ctx).Owner, in.RawBody)
	if err != nil {
		return nil, err
	}
	about(ctx, ref.Hash)
	return &putBlobOutput{http.StatusCreated, Blob{SHA256: ref.Hash, Size: ref.Size}}, nil
}
