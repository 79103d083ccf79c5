package commands

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
)

// remoteFlags are the flags of judge grade that mean something with --server.
var remoteFlags = []string{
	"server", "token-file", "cancel", "all", "expect", "report", "json", "quiet", "verbose", "sort", "lang", "limits",
}

// SubmitCommand returns judge submit, which is judge grade --server.
func SubmitCommand(o *cli.App) *cobra.Command {
	g := &gradeOptions{App: o}
	cmd := &cobra.Command{
		Use:     "submit --server URL PROBLEM SUBMISSION…",
		Short:   "Have a server judge submissions",
		Long:    "Have a server judge submissions, as judge grade --server does.",
		Example: "  judge grade --server https://judge.example game solution.cpp",
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.there.server == "" {
				return cli.Usage(errors.New("submit needs --server (hint: judge grade --server http://localhost:8080 game solution.cpp)"))
			}
			if len(args) < 2 {
				return cli.Usage(errors.New("submit needs a problem and at least one submission (hint: judge grade --server URL game solution.cpp)"))
			}
			return g.gradeThere(cmd.Context(), args[0], args[1:])
		},
	}
	g.there.flags(cmd)
	g.flags(cmd, "there")
	return cmd
}

// gradeByServer has the server of --server judge.
func (g *gradeOptions) gradeByServer(cmd *cobra.Command, args []string) error {
	if names := local(cmd, remoteFlags...); len(names) > 0 {
		return cli.Usage(errors.New("with --server, " + strings.Join(names, ", ") + " cannot be used (hint: the server judges all cases of the problem as it is)"))
	}
	if len(args) < 2 {
		return cli.Usage(errors.New("grade needs a problem and at least one submission (hint: judge grade --server URL game solution.cpp)"))
	}
	return g.gradeThere(cmd.Context(), args[0], args[1:])
}
