package lab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/langcheck"
)

type languagesOptions struct {
	*cli.App
	reports *cli.Reports
}

func LanguagesCommand(o *cli.App) *cobra.Command {
	l := &languagesOptions{App: o}
	cmd := &cobra.Command{
		Use:   "languages [LANGUAGE…]",
		Short: "Show which languages work on this machine",
		Long: `Show for each language whether its compiler or interpreter is installed, its version,
its commands, and which Debian packages provide it. Then compile a small program in
the language, without the cache, and run it in the sandbox. Without arguments, all
languages are tried; outside of a repository, those are the built-in languages.
The exit status is 1 if an installed language does not work, or a named one is not
installed.`,
		Example: "  judge languages\n  judge languages cpp python3 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd.Context(), args)
		},
	}
	l.reports = o.Report(cmd, "languages.md", format.Names(findings.LanguagesFormats(sandbox.Mechanisms{})))
	return cmd
}

func (l *languagesOptions) run(ctx context.Context, names []string) (err error) {
	root := ""
	if found, err := l.FindRoot(); err == nil {
		root = found
	} else if l.Root != "" {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(c.Build.Languages))
	for _, name := range names {
		if !slices.Contains(known, name) {
			hint := "the languages are " + strings.Join(known, ", ")
			if near := yamlstrict.Nearest(name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			return cli.Usage(fmt.Errorf("unknown language %q (hint: %s)", name, hint))
		}
	}
	list := known
	if len(names) > 0 {
		slices.Sort(names)
		list = slices.Compact(names)
	}
	eng, err := l.StartEngine(root, c, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close()) }()
	return l.check(ctx, eng, list, len(names) > 0)
}

// check tries the languages of list. If named is set, a language that is not installed is a
// failure.
func (l *languagesOptions) check(ctx context.Context, eng *engine.Engine, list []string, named bool) error {
	all := &findings.Languages{Mechanisms: eng.Pool.Facts().Mechanisms}
	sink := cli.Begin(l.reports, findings.LanguagesFormats(all.Mechanisms))
	bad := false
	err := langcheck.Check(ctx, langcheck.Options{
		Builder: eng.Builder, Cache: eng.Cache, Pool: eng.Pool, Names: list, Stage: l.stage,
	}, func(r langcheck.Result) {
		bad = bad || r.Status == langcheck.Broken || named && r.Status == langcheck.Missing
		all.Results = append(all.Results, r)
		sink.Event(&r)
	})
	if err == nil {
		sink.Event(all)
	}
	if err = sink.End(err); err == nil && bad {
		return cli.Status(cli.ExitNot)
	}
	return err
}

// stage prints notes if the check of a language takes long, until end is called.
func (l *languagesOptions) stage(name string) (end func()) {
	return l.Std.Announce("trying " + name)
}
