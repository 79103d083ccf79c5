package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/client"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/web"
)

func heldCommand(o *options) *cobra.Command {
	r := &remote{options: o}
	var release, all bool
	cmd := &cobra.Command{
		Use:   "held [--release ID…|--release --all]",
		Short: "List what the judge failed to judge, and release it",
		Long: `List the judgings of a running service that are held because the judge failed three times
in a row, with the last error. Mend what that says; then --release lets them wait again.
The token needs the scope rejudge.`,
		Example: "  judged held --token-file data/admin.token\n  judged held --token-file data/admin.token --release --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !release && (all || len(args) > 0):
				return usage(errors.New("ids and --all are for --release (hint: judged held --release --all)"))
			case release && all == (len(args) > 0):
				return usage(errors.New("--release needs either ids or --all (hint: judged held lists the ids)"))
			case release && r.json:
				return usage(errors.New("--json is for the list, and --release writes none"))
			}
			return r.ask(func(c *client.Client) error { return r.held(cmd.Context(), c, release, args) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&release, "release", false, "let the judgings with these ids, or all, wait again")
	f.BoolVar(&all, "all", false, "with --release: all that are held")
	r.flags(cmd, "write the submissions as GET /v1/judgings has them")
	return cmd
}

// held lists what is held, or releases it: what the ids name, or all if there are none.
func (r *remote) held(ctx context.Context, c *client.Client, release bool, ids []string) error {
	var list []web.Judging
	var raw []json.RawMessage
	var err error
	if len(ids) == 0 {
		if list, raw, err = judgings(ctx, c, url.Values{"status": {string(ledger.Held)}}, 0); err != nil {
			return err
		}
	}
	for _, id := range ids {
		j, err := client.Ask[web.Judging](ctx, c, http.MethodGet, "/v1/judgings/"+url.PathEscape(id), nil)
		if err != nil {
			return unknown(err)
		}
		if len(heldOf(j)) == 0 {
			return usage(fmt.Errorf("%s: nothing of it is held (hint: judged held lists what is)", id))
		}
		list = append(list, *j)
	}
	if release {
		return r.release(ctx, c, list)
	}
	return r.write(append([]json.RawMessage{}, raw...), func(w io.Writer) {
		row(w, "id", "judging", "submitter", "problem", "handed in", "attempts", "error")
		for i := range list {
			for _, one := range heldOf(&list[i]) {
				row(w, list[i].ID, strconv.Itoa(one.Number), list[i].Submitter, list[i].Problem, moment(list[i].Created), strconv.Itoa(one.Attempt-1), one.Error)
			}
		}
	})
}

// heldOf returns the judgings of a submission that are held.
func heldOf(j *web.Judging) (list []web.Outcome) {
	for _, one := range j.Judgings {
		if one.Status == string(ledger.Held) {
			list = append(list, one)
		}
	}
	return list
}

// release releases what is held of submissions. What changed meanwhile is left alone.
func (r *remote) release(ctx context.Context, c *client.Client, list []web.Judging) error {
	n := 0
	for i := range list {
		for _, one := range heldOf(&list[i]) {
			path := "/v1/judgings/" + url.PathEscape(list[i].ID) + "/release"
			_, err := client.Ask[web.Judging](ctx, c, http.MethodPost, path, url.Values{"judging": {strconv.Itoa(one.Number)}})
			if e, answered := errors.AsType[*client.Error](err); answered && e.Status == http.StatusConflict {
				continue
			}
			if err != nil {
				return unknown(fmt.Errorf("%d released, then %s: %w", n, list[i].ID, err))
			}
			n++
		}
	}
	_, err := fmt.Fprintf(r.out, "%d released\n", n)
	return err
}

// unknown adds a hint to the error of a judging that does not exist.
func unknown(err error) error {
	if e, answered := errors.AsType[*client.Error](err); answered && e.Status == http.StatusNotFound && !e.Foreign {
		return fmt.Errorf("%w (hint: judged list and judged held have the ids)", err)
	}
	return err
}
