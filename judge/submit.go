package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/report"
)

// remoteFlags are the flags of judge grade that mean something with --server.
var remoteFlags = []string{
	"server", "token-file", "cancel", "all", "expect", "report", "json", "quiet", "verbose", "sort", "lang", "limits",
}

func submitCommand(o *options) *cobra.Command {
	g := &gradeOptions{options: o}
	cmd := &cobra.Command{
		Use:   "submit --server URL PROBLEM SUBMISSION…",
		Short: "Have a server judge submissions, and report as judge grade does",
		Long: `Hand submissions in to a judged, and report what becomes of them as judge grade does.
The problem is one of the server, as ID or ID@VERSION. A submission is a source file,
a folder of sources, or "-" for source on standard input, which requires --lang.

The token is in TRIBUNAL_TOKEN or in the file of --token-file. When the command is
interrupted, the server goes on unless --cancel is given.`,
		Example: `  judge submit --server https://judge.example game solution.cpp
  judge submit --server http://localhost:8080 maze@3f2a *.py --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.there.server == "" {
				return usage(errors.New("submit needs --server (hint: judge submit --server http://localhost:8080 game solution.cpp)"))
			}
			if len(args) < 2 {
				return usage(errors.New("submit needs a problem and at least one submission (hint: judge submit --server URL game solution.cpp)"))
			}
			return g.gradeThere(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	g.there.flags(cmd)
	f.BoolVar(&g.all, "all", false, "judge all cases, even after a failure")
	f.BoolVar(&g.expect, "expect", false, "succeed only if each submission gets the verdict that its folder names, such as wrong_answer/")
	g.reports = o.report(cmd, "json.md", report.Names(report.GradeFormats(nil, report.TerminalOptions{})))
	f.BoolVarP(&g.quiet, "quiet", "q", false, "print only the verdicts")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "print what enforces the limits there, and every case with its measurements")
	g.order = report.ByArgument
	f.Var(choice[report.Order]{&g.order, report.Orders(), "order"}, "sort", "`order` of several submissions in the report: "+list(report.Orders()))
	f.StringVar(&g.language, "lang", "", "`language` of the sources, regardless of their file names")
	g.limits.flag(cmd)
	return cmd
}

// gradeByServer has the server of --server judge.
func (g *gradeOptions) gradeByServer(cmd *cobra.Command, args []string) error {
	if names := local(cmd, remoteFlags...); len(names) > 0 {
		return usage(errors.New("with --server, " + strings.Join(names, ", ") + " cannot be used (hint: the server judges all cases of the problem as it is)"))
	}
	if len(args) < 2 {
		return usage(errors.New("grade needs a problem and at least one submission (hint: judge grade --server URL game solution.cpp)"))
	}
	return g.gradeThere(cmd.Context(), args[0], args[1:])
}
