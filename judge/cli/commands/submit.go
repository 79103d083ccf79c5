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

// SubmitCommand returns judge submit.
func SubmitCommand(o *cli.App) *cobra.Command {
	g := &gradeOptions{App: o}
	cmd := &cobra.Command{
		Use:   "submit --server URL PROBLEM SUBMISSION…",
		Short: "Have a server judge submissions, and report as judge grade does",
		Long: `Hand submissions in to a judged, and report what becomes of them as judge grade does.
The problem is one of the server, as ID or ID@VERSION; submissions are those of judge
grade.

The token is in TRIBUNAL_TOKEN or in the file of --token-file. When the command is
interrupted, the server goes on unless --cancel is given.`,
		Example: `  judge submit --server https://judge.example game solution.cpp
  judge submit --server http://localhost:8080 maze@3f2a *.py --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.there.server == "" {
				return cli.Usage(errors.New("submit needs --server (hint: judge submit --server http://localhost:8080 game solution.cpp)"))
			}
			if len(args) < 2 {
				return cli.Usage(errors.New("submit needs a problem and at least one submission (hint: judge submit --server URL game solution.cpp)"))
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
