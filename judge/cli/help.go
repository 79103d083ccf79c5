package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pkgformat"
)

// others lists words that other tools use for what a command does.
var others = map[string][]string{
	"grade":     {"test", "judge", "submit", "exec"},
	"eval":      {"evaluate", "benchmark", "batch"},
	"verify":    {"check", "validate", "lint"},
	"regen":     {"generate", "answers", "solve"},
	"show":      {"cat", "view", "list", "ls"},
	"case":      {"cases", "samples", "input", "download"},
	"compare":   {"diff"},
	"likeness":  {"moss", "plagiarism", "similarity"},
	"new":       {"create"},
	"stress":    {"fuzz", "hack"},
	"grow":      {"bench", "complexity"},
	"export":    {"pack", "package", "zip"},
	"languages": {"langs", "compilers"},
	"doctor":    {"selftest"},
}

// unknownCommand returns the error for a word that names no command. The hint names the command for
// which other tools have this word, or the one that the user probably mistyped.
func unknownCommand(root *cobra.Command, word string) error {
	hint := "judge --help lists the commands"
	var names []string
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	for _, name := range names {
		if slices.Contains(others[name], strings.ToLower(word)) {
			return Usage(fmt.Errorf("unknown command %q (hint: did you mean judge %s?)", word, name))
		}
	}
	if slices.Contains([]string{"serve", "server", "daemon", "worker"}, word) {
		return Usage(fmt.Errorf("unknown command %q (hint: the service is a program of its own, judged: docs/service.md)", word))
	}
	if near := yamlstrict.Nearest(strings.ToLower(word), names); near != "" {
		hint = "did you mean judge " + near + "?"
	}
	return Usage(fmt.Errorf("unknown command %q (hint: %s)", word, hint))
}

// helpCommand returns the command that prints the help of other commands, and has the topics below it.
func helpCommand(topics []*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range topics {
		names = append(names, c.Name())
	}
	help := &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Print the help of a command, or of a topic: " + List(names),
		Example:           "  judge help grade",
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			found, rest, err := root.Find(args)
			switch {
			case err != nil || found == root && len(args) > 0:
				return unknownCommand(root, args[0])
			case len(rest) > 0:
				return Usage(fmt.Errorf("help takes one command, not also %q (hint: judge help %s)", rest[0], found.Name()))
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
	help.AddCommand(topics...)
	return help
}

// completeCommands completes the name of a command.
func completeCommands(cmd *cobra.Command, args []string, begun string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, c := range cmd.Root().Commands() {
		if len(args) == 0 && c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
			names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// VersionCommand prints the build of the judge, as --version does.
func VersionCommand(o *App) *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version, the commit and the Go version of the judge",
		Example:           "  judge --version",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usage(errors.New("version takes no arguments (hint: judge --version)"))
			}
			return o.Std.Print("judge %s\n", version.Build())
		},
	}
}

// Swapped returns an error if a submission stands before its problem in the arguments of a command.
func (o *App) Swapped(cmd *cobra.Command, args []string) error {
	if len(args) < 2 || IsPackageFile(args[0]) || pkgformat.Is(args[0]) {
		return nil
	}
	if _, err := os.Stat(args[0]); err != nil {
		return nil
	}
	var known []string
	if root, err := o.FindRoot(); err == nil {
		known, _ = repo.List(root)
	}
	if slices.Contains(known, args[0]) {
		return nil
	}
	for i, name := range args[1:] {
		if slices.Contains(known, name) || IsPackageFile(name) || pkgformat.Is(name) {
			right := slices.Concat([]string{name}, args[:1+i], args[i+2:])
			return Usage(fmt.Errorf("%s is a submission, and %s a problem (hint: the problem comes first: %s %s)",
				args[0], name, cmd.CommandPath(), strings.Join(right, " ")))
		}
	}
	return nil
}
