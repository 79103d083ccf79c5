package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tribunal/judge/internal/version"
)

// manualCommand writes the help of all commands as pages for other readers. It is for those who
// package the judge, and so hidden.
func manualCommand(o *App) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "manual",
		Short: "Print the help of all commands in Markdown, or write it as man pages",
		Long: `Print the help of all commands as one page in Markdown. With --output, write a man page
for each command into a folder instead: judge.1, judge-grade.1, ….`,
		Example:           "  judge manual > commands.md\n  judge manual -o /usr/local/share/man/man1",
		Hidden:            true,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usage(errors.New("manual takes no arguments (hint: judge manual -o FOLDER)"))
			}
			if dir == "" {
				_, err := o.Std.Out.Write([]byte(MarkdownManual(cmd.Root())))
				return err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return Usage(fmt.Errorf("-o: %w (hint: name a folder that you may write to)", err))
			}
			for name, page := range ManPages(cmd.Root()) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
					return Usage(fmt.Errorf("-o: %w (hint: name a folder that you may write to)", err))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "write man pages into this `folder`, which is made if it is missing")
	return cmd
}

// documented returns the commands of root that its help lists, in their order.
func documented(root *cobra.Command) (list []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			list = append(list, cmd)
		}
	}
	return list
}

// flagColumns is the width of the table of flags in Markdown.
const flagColumns = 118

// MarkdownManual returns the help of all commands of root as a page in Markdown.
func MarkdownManual(root *cobra.Command) string {
	var b strings.Builder
	fenced := func(text string) { fmt.Fprintf(&b, "```\n%s\n```\n", strings.TrimRight(text, "\n")) }
	b.WriteString("# Commands\n\nThe help of each command, as `judge help COMMAND` prints it, without the flag `-h`, which prints it too. `judge manual`\nwrote this page.\n\n")
	fenced(root.Long)
	b.WriteString("\nAll commands have these flags:\n\n")
	fenced(root.PersistentFlags().FlagUsagesWrapped(flagColumns))
	for _, cmd := range documented(root) {
		fmt.Fprintf(&b, "\n## %s\n\n", cmd.CommandPath())
		cmd.InitDefaultHelpFlag()
		text := cmd.UseLine() + "\n\n"
		if cmd.Long != "" {
			text += cmd.Long + "\n\n"
		} else {
			text += cmd.Short + ".\n\n"
		}
		if cmd.Example != "" {
			text += "Examples:\n" + cmd.Example + "\n\n"
		}
		flags := cmd.LocalNonPersistentFlags()
		help := flags.Lookup("help")
		help.Hidden = true
		if flags.HasAvailableFlags() {
			text += "Flags:\n" + flags.FlagUsagesWrapped(flagColumns)
		}
		help.Hidden = false
		var lines []string
		for l := range strings.Lines(text) {
			lines = append(lines, strings.TrimRight(l, " \n"))
		}
		fenced(strings.Join(lines, "\n"))
	}
	return b.String()
}

// ManPages returns the man pages of root and its commands, by file name.
func ManPages(root *cobra.Command) map[string]string {
	pages := map[string]string{"judge.1": manPage(root, documented(root))}
	for _, cmd := range documented(root) {
		pages["judge-"+cmd.Name()+".1"] = manPage(cmd, []*cobra.Command{root})
	}
	return pages
}

// manPage returns the man page of a command, which refers to other commands.
func manPage(cmd *cobra.Command, others []*cobra.Command) string {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q \"Judge\"\n", strings.ToUpper(pageName(cmd)), "judge "+version.Build())
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(pageName(cmd)), roff(cmd.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, ".B %s\n", roff(cmd.UseLine()))
	section("DESCRIPTION")
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	paragraphs(&b, long)
	cmd.InitDefaultHelpFlag()
	section("OPTIONS")
	flags := func(f *pflag.Flag) { manFlag(&b, f) }
	cmd.LocalFlags().VisitAll(flags)
	cmd.InheritedFlags().VisitAll(flags)
	if cmd.Example != "" {
		section("EXAMPLES")
		paragraphs(&b, cmd.Example)
	}
	section("SEE ALSO")
	for i, c := range others {
		end := ","
		if i == len(others)-1 {
			end = ""
		}
		fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(pageName(c)), end)
	}
	return b.String()
}

// pageName returns the name of the man page of a command, such as judge-grade.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manFlag adds a flag to a man page.
func manFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, text := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		b.WriteString(`\fB\-` + f.Shorthand + `\fR, `)
	}
	b.WriteString(`\fB\-\-` + roff(f.Name) + `\fR`)
	if value != "" {
		b.WriteString(` \fI` + roff(value) + `\fR`)
	}
	b.WriteString("\n" + roff(text) + "\n")
}

// paragraphs adds a text of a help page to a man page. Indented lines, such as lists and examples,
// are kept as they are.
func paragraphs(b *strings.Builder, text string) {
	literal := false
	for l := range strings.SplitSeq(text, "\n") {
		switch indented := strings.HasPrefix(l, "  "); {
		case l == "":
			b.WriteString(".PP\n")
			continue
		case indented && !literal:
			b.WriteString(".nf\n")
			literal = true
		case !indented && literal:
			b.WriteString(".fi\n")
			literal = false
		}
		b.WriteString(roff(l) + "\n")
	}
	if literal {
		b.WriteString(".fi\n")
	}
}

// roff escapes a line of text for a man page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
