package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/pipeline"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pairs"
	"tribunal/judge/packages/scaffold"
)

func InitCommand(o *cli.App) *cobra.Command {
	var empty, here bool
	var kind scaffold.Kind
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a repository for problems of your own",
		Long: `Make a repository for problems of your own, in a folder that may be new or hold other
files, with one small problem that works and a workflow for GitHub. No file is replaced:
if one is in the way, nothing is written.

With --here write tribunal.yaml into a folder of inputs and answers instead, with
comments about what it may say.`,
		Example: "  judge init contest --lang python\n  cd contest\n  judge regen\n  judge verify\n\n  judge init --here tests/",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage(errors.New("init takes one folder (hint: judge init contest)"))
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if here {
				if names := cli.SetFlags(cmd, "empty", "lang"); len(names) > 0 {
					return cli.Usage(fmt.Errorf("%s and --here exclude each other (hint: leave one of them out)", names[0]))
				}
				return initHere(cmd.Context(), o, dir)
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
	cmd.Flags().BoolVar(&here, "here", false, "write tribunal.yaml into a folder of inputs and answers")
	languageFlag(cmd, &kind.Language)
	return cmd
}

// initHere writes the settings of a plain folder of pairs.
func initHere(ctx context.Context, o *cli.App, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return cli.Usage(&yamlstrict.Error{File: dir, Msg: "not a folder", Hint: "unpack it, and name the folder"})
	}
	pack, _, err := o.OpenPackage(ctx, dir, func() (string, error) { return "", errors.ErrUnsupported }, nil)
	if err != nil {
		return err
	}
	defer pack.Close()
	d := pack.Draft()
	place := filepath.Join(d.Root, pairs.File)
	if d.Format != pairs.Name {
		return cli.Usage(&yamlstrict.Error{File: dir, Msg: "a package of the format " + d.Format + ", which has settings of its own", Hint: "judge show " + dir + " shows them"})
	}
	f, err := os.OpenFile(place, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return cli.Usage(&yamlstrict.Error{File: place, Msg: "already exists", Hint: "edit it: judge show " + dir + " shows what it sets"})
	} else if err != nil {
		return cli.Usage(yamlstrict.FileError(place, err))
	}
	_, err = f.Write(pairs.Template(d))
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(place))
	}
	return o.Std.Print("%s: %s: %s\nnext: %s SUBMISSION\n", place, layout.Count(len(d.Cases), "case"), pairs.Found(d), report.Shell([]string{"judge", "grade", dir}))
}
