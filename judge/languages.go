package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/langcheck"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

type languagesOptions struct {
	*options
	reports *reports
}

func languagesCommand(o *options) *cobra.Command {
	l := &languagesOptions{options: o}
	cmd := &cobra.Command{
		Use:   "languages [LANGUAGE…]",
		Short: "Show which languages work here, and try each",
		Long: `Show for each language whether its compiler or interpreter is found, its version,
its commands, what to install on Debian, and whether a small program that greets can
be built and run in the jail. Nothing is taken from the cache of programs. Without
arguments all languages are tried.

Outside of a repository the languages are those that need no configuration.

Exit status: 0 every language that is found works, and all that were named are
found; 1 otherwise; 2 there is no such language; 3 the judge failed, 130 interrupted.`,
		Example: "  judge languages\n  judge languages cpp python3 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd.Context(), args)
		},
	}
	l.reports = o.report(cmd, "languages.md", report.Names(report.LanguagesFormats(sandbox.Mechanisms{})))
	return cmd
}

func (l *languagesOptions) run(ctx context.Context, names []string) (err error) {
	root := ""
	if found, err := l.findRoot(); err == nil {
		root = found
	} else if l.root != "" {
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
			return usage(fmt.Errorf("unknown language %q (hint: %s)", name, hint))
		}
	}
	list := known
	if len(names) > 0 {
		slices.Sort(names)
		list = slices.Compact(names)
	}
	eng, err := l.startEngine(root, c, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.close()) }()
	return l.check(ctx, eng, list, len(names) > 0)
}

// check tries languages. If they were named, a missing one is a failure.
func (l *languagesOptions) check(ctx context.Context, eng *engine, list []string, named bool) error {
	sink := begin(l.reports, report.LanguagesFormats(eng.pool.Facts().Mechanisms))
	bad := false
	err := langcheck.Check(ctx, langcheck.Options{
		Builder: eng.builder, Cache: eng.cache, Pool: eng.pool, Names: list, Stage: l.under,
	}, func(r langcheck.Result) {
		bad = bad || r.Status == langcheck.Broken || named && r.Status == langcheck.Missing
		sink.Event(&r)
	})
	if err == nil {
		sink.Event(nil)
	}
	if err = sink.end(err); err == nil && bad {
		return status(exitNot)
	}
	return err
}

// under prints notes while the check of a language takes long.
func (l *languagesOptions) under(name string) (end func()) {
	return l.std.doing("trying " + name)
}
