package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/packages/pkgformat"
)

// A completer returns the words that may stand for an argument or for the value of a flag, after the
// arguments args. It runs no programs, and returns nothing if it cannot read what it needs.
type completer func(o *App, cmd *cobra.Command, args []string) []string

// argumentWords completes arguments, by the words that stand for them in the Use line of a command.
// For other words the shell completes names of files.
var argumentWords = map[string]completer{
	"PROBLEM":  (*App).problemWords,
	"FAMILY":   (*App).familyWords,
	"CASE":     (*App).caseWords,
	"LANGUAGE": (*App).languageWords,
}

// flagWords completes the values of flags, by the names of the flags, besides those that are a
// [choice] or that a command completes by [Complete].
var flagWords = map[string]completer{
	"case":    (*App).caseWords,
	"lang":    (*App).languageWords,
	"report":  (*App).reportWords,
	"gen":     (*App).familyWords,
	"dialect": fixed(pkgformat.Dialects()...),
	"mode":    fixed(sandbox.Auto, sandbox.Container, sandbox.Rlimit),
	"limits":  fixed("cpu=", "wall=", "memory=", "output=", "processes="),
}

// fileFlags lists the flags whose values are files or folders, which the shell completes.
var fileFlags = []string{"html", "in", "keep", "output", "reference", "root", "root-of-package", "show", "socket", "svg",
	"journal", "sheet", "base", "token-file"}

// addCompletionCommand adds the command that prints the completions for each shell.
func addCompletionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // InitDefaultCompletionCmd has just added it
	}
	cmd.Use, cmd.Short = "completion SHELL", "Print a script that makes a shell complete commands, problems, cases, …"
	cmd.Long = `Print a script that makes a shell complete the commands and flags of the judge, and their
values: problems, cases, languages, families of a generator, formats and modes. The
shells are bash, zsh, fish and powershell; judge completion SHELL --help says where
each looks for scripts.`
	cmd.Example = "  source <(judge completion bash)\n  judge completion bash > /etc/bash_completion.d/judge"
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return Usage(fmt.Errorf("unknown shell %q (hint: the shells are bash, zsh, fish, powershell)", args[0]))
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions // the shells are its commands
	for shell, example := range map[string]string{
		"bash":       "source <(judge completion bash)",
		"zsh":        "source <(judge completion zsh)",
		"fish":       "judge completion fish | source",
		"powershell": "judge completion powershell | Out-String | Invoke-Expression",
	} {
		if c, _, err := cmd.Find([]string{shell}); err == nil {
			c.Example, c.Hidden = "  "+example, true // the page of completion lists the shells
		}
	}
}

// completions makes all commands of root complete their arguments and the values of their flags.
// Values that are neither words nor files, such as numbers, are not completed.
func (o *App) completions(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.ValidArgs == nil && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = o.argumentCompletion(cmd)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { o.completeFlag(cmd, f) })
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { o.completeFlag(root, f) })
}

// completeFlag makes cmd complete the values of a flag.
func (o *App) completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	words := flagWords[f.Name]
	if c, ok := f.Value.(interface{ Words() []string }); ok {
		words = func(*App, *cobra.Command, []string) []string { return c.Words() }
	}
	if f.Value.Type() == "bool" || words == nil && slices.Contains(fileFlags, f.Name) {
		return
	}
	// The only error is that the flag has a completion already.
	_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if words == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list := withPrefix(words(o, cmd, args), begun)
		if f.Name == "limits" {
			return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}

// argumentCompletion returns the completion of the arguments that the Use line of cmd names.
func (o *App) argumentCompletion(cmd *cobra.Command) cobra.CompletionFunc {
	var places []string // such as PROBLEM|PACKAGE and SUBMISSION…
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if word = strings.Trim(word, "[]"); word == strings.ToUpper(word) {
			places = append(places, word)
		}
	}
	return func(cmd *cobra.Command, args []string, begun string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		at := len(args)
		if last := len(places) - 1; at > last && last >= 0 && strings.HasSuffix(places[last], "…") {
			at = last
		}
		if at >= len(places) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		files := false
		kinds := strings.Split(strings.TrimSuffix(places[at], "…"), "|")
		for i, kind := range kinds {
			if kind = strings.TrimSuffix(kind, "…"); argumentWords[kind] == nil {
				files = files || kind != "ID"
				continue
			}
			kinds[i] = kind
			list = append(list, withPrefix(argumentWords[kind](o, cmd, args), begun)...)
		}
		if files {
			return list, cobra.ShellCompDirectiveDefault
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// Complete makes a command complete the values of a flag by words, which it asks for when they are needed.
func Complete[T ~string](cmd *cobra.Command, flag string, words func() []T) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return withPrefix(fixed(words()...)(nil, cmd, args), begun), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // cmd has no such flag
	}
}

// withPrefix returns the words that begin with a text.
func withPrefix(words []string, text string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, text) })
}

// fixed returns a completer of words that are always the same.
func fixed[T ~string](words ...T) completer {
	return func(*App, *cobra.Command, []string) (list []string) {
		for _, w := range words {
			list = append(list, string(w))
		}
		return list
	}
}

// problemWords returns the problems of the repository.
func (o *App) problemWords(*cobra.Command, []string) []string {
	root, err := o.FindRoot()
	if err != nil {
		return nil
	}
	ids, _ := repo.List(root)
	return ids
}

// cases returns the cases of the problem that the first argument names, if it is in the repository.
func (o *App) cases(args []string) []cases.Case {
	root, err := o.FindRoot()
	if err != nil || len(args) == 0 {
		return nil
	}
	p, err := repo.Load(root, args[0])
	if err != nil {
		return nil
	}
	set, err := p.Cases()
	if err != nil {
		return nil
	}
	return set.Cases
}

// caseWords returns the names of the cases.
func (o *App) caseWords(_ *cobra.Command, args []string) (names []string) {
	for _, c := range o.cases(args) {
		names = append(names, c.Name)
	}
	return names
}

// familyWords returns the families of the generator from which cases are made. The generator may
// have others, but asking it may take a compilation.
func (o *App) familyWords(_ *cobra.Command, args []string) []string {
	families := map[string]bool{}
	for _, c := range o.cases(args) {
		if len(c.Generate) > 0 {
			families[c.Generate[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(families))
}

// languageWords returns the languages.
func (o *App) languageWords(*cobra.Command, []string) []string {
	root, _ := o.FindRoot() // "" stands for no repository
	c, err := config.Load(root)
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(c.Build.Languages))
}

// reportWords returns the formats of the reports of a command.
func (o *App) reportWords(cmd *cobra.Command, _ []string) []string {
	return slices.Clone(o.Reports[cmd].Formats)
}
