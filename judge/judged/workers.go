package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/client"
	"tribunal/judge/judged/internal/web"
)

func workersCommand(o *options) *cobra.Command {
	r := &remote{options: o}
	cmd := &cobra.Command{
		Use:   "workers",
		Short: "List the workers of a running service",
		Long: `List the workers of a running service: which are ready and why others are not, what they
have to do, and how long they take for the reference runs, in units of the first worker.
A worker that has said nothing for a quarter of a minute is not in the list. The token
needs the scope read or admin.`,
		Example: "  judged workers --token-file data/admin.token",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.ask(func(c *client.Client) error {
				list, err := client.Ask[web.WorkerList](cmd.Context(), c, http.MethodGet, "/v1/workers", nil)
				if err != nil {
					return err
				}
				return r.write(list, func(w io.Writer) {
					row(w, "worker", "host", "state", "busy", "slots", "load", "factor", "seen", "languages", "why not ready")
					for _, one := range list.Workers {
						row(w, one.Worker, one.Host, one.State, strconv.Itoa(one.Busy), strconv.Itoa(one.Slots), fmt.Sprintf("%.1f of %d", one.Load, one.CPUs),
							fmt.Sprintf("%.2f", one.Factor), moment(one.Seen), strings.Join(one.Languages, " "), one.Sick)
					}
				})
			})
		},
	}
	r.flags(cmd, "write the workers as GET /v1/workers has them")
	return cmd
}
