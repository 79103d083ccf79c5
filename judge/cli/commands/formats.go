package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/packages/pkgexport"
	"tribunal/judge/packages/pkgformat"
)

// FormatsCommand returns judge help formats.
func FormatsCommand(o *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "List the formats of problem packages that are read and written",
		Long: `List the formats of problem packages: by what the judge recognises those that it reads,
which parts of each it does not read, and the formats that judge export writes.`,
		Example: "  judge help formats",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("formats takes no arguments (hint: judge verify %s tells what a package holds)", args[0]))
			}
			for line := range strings.Lines(FormatsText()) {
				if err := o.Std.Print("%s\n", strings.TrimSuffix(line, "\n")); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// FormatsText returns the list of formats.
func FormatsText() string {
	var b strings.Builder
	b.WriteString("Read, the first whose content is found:\n")
	for _, f := range pkgformat.Families() {
		fmt.Fprintf(&b, "\n  %s (%s)\n    content:  %s\n", strings.Join(f.Names(), ", "), f.Origin, f.Signs)
		if f.Lacks != "" {
			fmt.Fprintf(&b, "    not read: %s\n", f.Lacks)
		}
	}
	b.WriteString("\nWritten by judge export:\n\n")
	for _, f := range pkgexport.All() {
		fmt.Fprintf(&b, "  %-15s%s\n", f, f.Title())
	}
	return b.String()
}
