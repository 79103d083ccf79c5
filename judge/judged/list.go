package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/client"
	"tribunal/judge/cli/layout"
	"tribunal/judge/judged/internal/web"
)

// remote holds the flags of commands that ask a running service.
type remote struct {
	*options
	server, token string
	json          bool
}

func (r *remote) flags(cmd *cobra.Command, json string) {
	f := cmd.Flags()
	f.StringVar(&r.server, "server", "http://localhost:8080", "`URL` of the service")
	f.StringVar(&r.token, "token-file", "", "`file` with the token for --server (default: the token in "+client.TokenVariable+")")
	if json != "" {
		f.BoolVar(&r.json, "json", false, json)
	}
}

// ask calls work with a client for the service, and explains its errors.
func (r *remote) ask(work func(*client.Client) error) error {
	c, warning, err := client.Open(r.server, r.token)
	if err != nil {
		return usage(err)
	}
	if warning != "" {
		fmt.Fprintln(r.err, "judged: note:", warning)
	}
	err, user := c.Explain(work(c))
	if user {
		return usage(err)
	}
	return err
}

// write writes v as JSON with --json, and otherwise what table writes into columns, which cannot control the terminal.
func (r *remote) write(v any, table func(w io.Writer)) error {
	if r.json {
		e := json.NewEncoder(r.out)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	table(w)
	return w.Flush()
}

// row writes a row of a table. An empty cell is a hyphen.
func row(w io.Writer, cells ...string) {
	for i, cell := range cells {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, cmp.Or(layout.Line(cell), "-"))
	}
	fmt.Fprintln(w)
}

// moment writes a time in the zone of the terminal.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.DateTime)
}

// page is the largest number of judgings that a service lists at a time.
const page = 1000

// judgings lists at most most of the judgings that a query selects, the newest first; 0 means all. raw has all
// fields of the answer, also those that this build does not know.
func judgings(ctx context.Context, c *client.Client, query url.Values, most int) (list []web.Judging, raw []json.RawMessage, err error) {
	for {
		limit := page
		if most > 0 {
			limit = min(limit, most-len(list))
		}
		query.Set("limit", strconv.Itoa(limit))
		answer, err := client.Ask[struct {
			Judgings []json.RawMessage
			Next     string
		}](ctx, c, http.MethodGet, "/v1/judgings", query)
		if err != nil {
			return nil, nil, err
		}
		for _, text := range answer.Judgings {
			var j web.Judging
			if err := json.Unmarshal(text, &j); err != nil {
				return nil, nil, fmt.Errorf("a judging in the list: %w", err)
			}
			list, raw = append(list, j), append(raw, text)
		}
		if answer.Next == "" || most > 0 && len(list) >= most {
			return list, raw, nil
		}
		query.Set("after", answer.Next)
	}
}

// since reads a point in time of a flag: how long ago it was, a day, or a time.
func since(flag, text string) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return time.Now().Add(-d), nil
	}
	for _, form := range []string{time.DateOnly, time.DateTime, "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usage(fmt.Errorf("--%s %q: want how long ago, a day or a time (hint: 2h, 2026-11-29 or '2026-11-29 18:30')", flag, text))
}

func listCommand(o *options) *cobra.Command {
	r := &remote{options: o}
	var limit int
	query := url.Values{}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the judgings of a running service, the newest first",
		Long: `List the judgings of a running service, the newest first. The filters must all fit. The
token needs the scope read; with submit alone it lists those of its owner.`,
		Example: "  judged list --token-file data/admin.token --problem game --verdict JE --since 24h\n  judged list --server https://judge.example --submitter /course-1/ann --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return usage(fmt.Errorf("--limit %d: want a number from 1, or 0 for all", limit))
			}
			for _, name := range []string{"problem", "submitter", "status", "verdict", "language", "worker", "since", "until"} {
				text, err := cmd.Flags().GetString(name)
				if err != nil || text == "" {
					continue
				}
				if name == "since" || name == "until" {
					at, err := since(name, text)
					if err != nil {
						return err
					}
					text = at.Format(time.RFC3339Nano)
				}
				query.Set(name, text)
			}
			return r.ask(func(c *client.Client) error {
				list, raw, err := judgings(cmd.Context(), c, query, limit)
				if err != nil {
					return err
				}
				return r.write(append([]json.RawMessage{}, raw...), func(w io.Writer) {
					row(w, "id", "handed in", "submitter", "problem", "name", "status", "verdict", "worker")
					for _, j := range list {
						row(w, j.ID, moment(j.Created), j.Submitter, j.Problem, j.Name, j.Status, j.Verdict, j.Worker)
					}
				})
			})
		},
	}
	f := cmd.Flags()
	f.String("problem", "", "only of this `problem`, as ID or ID@VERSION")
	f.String("submitter", "", "only of this `submitter`, such as ci/ann, or /course-1/ann of a course")
	f.String("status", "", "only waiting, done, held or cancelled `ones`")
	f.String("verdict", "", "only with this `verdict`, such as WA")
	f.String("language", "", "only those that named this `language`")
	f.String("worker", "", "only those that this `worker` judged")
	f.String("since", "", "only those handed in since a `time`: how long ago, a day or a time")
	f.String("until", "", "only those handed in before a `time`")
	f.IntVar(&limit, "limit", 100, "the largest `number` of judgings, 0 for all")
	r.flags(cmd, "write the judgings as GET /v1/judgings has them")
	return cmd
}
