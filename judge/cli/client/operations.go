package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
)

// Problem says why a request failed.
type Problem struct {
	Title  string  `json:"title"`
	Status int64   `json:"status"`
	Detail string  `json:"detail"` // what is wrong here, and often a hint what to do
	Errors []Fault `json:"errors"` // what is wrong where in the request
}

// Fault is a fault in a request.
type Fault struct {
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Submission is a program for a problem.
type Submission struct {
	Problem      string `json:"problem"` // as id or as id@version
	Name         string `json:"name,omitempty"`
	Language     string `json:"language,omitempty"` // by default the extension of the name decides
	SourceBase64 []byte `json:"source_base64"`      // a zip archive of several files if the name ends in .zip
	Limits       string `json:"limits,omitempty"`   // that replace those of the problem
	All          bool   `json:"all,omitempty"`      // judge all cases, even after a failure
	Priority     string `json:"priority,omitempty"` // interactive or batch
}

// Judging says how far the judging of a submission is.
type Judging struct {
	ID     string `json:"id"`
	Number int64  `json:"number"` // from 1; a rejudging adds one
	Status string `json:"status"` // waiting, done, held or cancelled
	Error  string `json:"error"`  // of the last attempt that failed, or why it was cancelled
}

// ProblemInfo is a problem with its versions.
type ProblemInfo struct {
	Newest   string        `json:"newest"`   // the version that counts if none is named; "" if none can be judged
	Versions []VersionInfo `json:"versions"` // the newest first
}

// VersionInfo is a version of a problem.
type VersionInfo struct {
	Version string `json:"version"` // the SHA-256 of its package
	Status  string `json:"status"`  // waiting, usable or unusable
}

// CreateJudging hands in a submission. The same request with the same key is the same judging, however often it is sent.
func (c *Client) CreateJudging(ctx context.Context, key string, s *Submission) (*Judging, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return decode[Judging](ctx, c, request{method: "POST", path: "/v1/judgings", key: key, body: bytes.NewReader(body)})
}

// GetJudging waits for the end of a judging, at most for a time such as 30s, and returns it.
func (c *Client) GetJudging(ctx context.Context, id, wait string) (*Judging, error) {
	return decode[Judging](ctx, c, request{method: "GET", path: judging(id), query: url.Values{"wait": {wait}}})
}

// CancelJudging cancels a judging that has not ended, for a reason.
func (c *Client) CancelJudging(ctx context.Context, id, reason string) (*Judging, error) {
	body, err := json.Marshal(struct {
		Reason string `json:"reason"`
	}{reason})
	if err != nil {
		return nil, err
	}
	return decode[Judging](ctx, c, request{method: "POST", path: judging(id) + "/cancel", body: bytes.NewReader(body)})
}

// GetResult returns the result of a judging, case by case, in JSON.
func (c *Client) GetResult(ctx context.Context, id string, number int64) ([]byte, error) {
	return c.bytes(ctx, request{method: "GET", path: judging(id) + "/result", query: url.Values{"judging": {strconv.FormatInt(number, 10)}}})
}

// GetProblem returns a problem with its versions.
func (c *Client) GetProblem(ctx context.Context, id string) (*ProblemInfo, error) {
	return decode[ProblemInfo](ctx, c, request{method: "GET", path: "/v1/problems/" + url.PathEscape(id)})
}

func judging(id string) string { return "/v1/judgings/" + url.PathEscape(id) }

// decode sends a request whose answer is a T in JSON.
func decode[T any](ctx context.Context, c *Client, r request) (*T, error) {
	data, err := c.bytes(ctx, r)
	if err != nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(data, v); err != nil {
		return nil, fmt.Errorf("%s %s: the answer is not what a judged answers: %w", r.method, r.path, err)
	}
	return v, nil
}
