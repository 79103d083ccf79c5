package commands

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/pipeline"
	"tribunal/judge/internal/build"
	"tribunal/judge/packages/scaffold"
)

func InitCommand(o *cli.App) *cobra.Command {
	var empty bool
	var kind scaffold.Kind
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a repository for problems of your own",
		Long: `Make a repository for problems of your own, in a folder that may be new or hold other
files, with one small problem that works and a workflow for GitHub. No file is replaced:
if one is in the way, nothing is written.`,
		Example: "  judge init contest --lang python\n  cd contest\n  judge regen\n  judge verify",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage(errors.New("init takes one folder (hint: judge init contest)"))
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			kind.Language = cmp.Or(kind.Language, defaultLanguage)
			example := &kind
			if err := kind.Check(); err != nil {
				return cli.Usage(err)
			}
			if empty {
				example = nil
			}
			install, err := installJudge(dir, "")
			if err != nil {
				return err
			}
			workflow, err := ciFile(pipeline.GitHub, install, build.Defaults(), func(l build.Language) bool {
				return example != nil && l.Shebang == nil && slices.Contains(l.Match, scaffold.Extension(kind.Language))
			})
			if err != nil {
				return err
			}
			places, err := scaffold.Init(dir, example, map[string]string{filepath.FromSlash(pipeline.GitHub.Place()): workflow})
			if err != nil {
				return err
			}
			for _, p := range places {
				_ = o.Std.Print("%s\n", p)
			}
			next := "judge regen"
			if empty {
				next = "judge new ID"
			}
			if dir != "." {
				return o.Std.Print("next, in %s: %s\n", dir, next)
			}
			return o.Std.Print("next: %s\n", next)
		},
	}
	cmd.Flags().BoolVar(&empty, "empty", false, "make no problem")
	languageFlag(cmd, &kind.Language)
	return cmd
}
