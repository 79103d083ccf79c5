// Package class has the commands for what a class handed in, besides judge grade --sheet.
package class

import (
	"errors"

	"github.com/spf13/cobra"

	"tribunal/judge/class/compare"
	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/document"
)

func CompareCommand(o *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare OLD [NEW]",
		Short: "Show which results of two judgings differ",
		Long: `Show which submissions changed their verdict, their points or the verdict of a case
between two judgings, and which became slower or faster beyond noise: by a quarter,
and on most of the cases.

OLD and NEW are documents that judge grade --json wrote, of one problem or of a sheet,
or journals. Single submissions are compared whatever they are called, also the two
of one document.
The exit status is 1 if a verdict, also of a case, or the points changed.`,
		Example: "  judge grade maze class/*.py --json > monday.json\n  judge compare monday.json tuesday.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usage(errors.New("compare needs two documents, or one with two submissions (hint: judge compare old.json new.json)"))
			}
			return compareJudgings(o, args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document (docs/sheets.md)")
	return cmd
}

func compareJudgings(o *cli.App, files []string, asJSON bool) error {
	var both [2]*compare.Results
	var wrong [2]error
	for i, file := range files {
		both[i], wrong[i] = compare.Read(file)
	}
	err := errors.Join(wrong[:]...)
	if err == nil && len(files) == 1 {
		both[0], both[1], err = both[0].Two()
	}
	if err != nil {
		return err
	}
	r := compare.Compare(both[0], both[1])
	if asJSON {
		err = document.Write(o.Std.Out, r)
	} else {
		t := o.Std.Terminal(o.Std.Out)
		err = compare.Text(o.Std.Out, r, layout.Options{Color: t.Color, Width: t.Width})
	}
	if err == nil && len(r.Verdicts)+len(r.Cases) > 0 {
		return cli.Status(cli.ExitNot)
	}
	return err
}
