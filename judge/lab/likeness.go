package lab

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"tribunal/judge/class/sheet"
	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/repo"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/likeness"
)

type likenessOptions struct {
	*cli.App
	sheet   string
	found   *sheet.Sheet // of it
	base    []string
	verbose bool
}

func LikenessCommand(o *cli.App) *cobra.Command {
	l := &likenessOptions{App: o}
	cmd := &cobra.Command{
		Use:   "likeness SUBMISSION…",
		Short: "Find submissions that share more code than usual",
		Long: `Compare submissions in the same language with one another, and list the pairs that
share at least 60 % of the smaller program: a hint for a person who then reads both,
never a proof.

Programs are compared as sequences of tokens: names, numbers, strings, comments,
layout and the order of parts do not count. Code that a quarter of the submissions
have does not count either, nor that of --base, such as a template.`,
		Example: "  judge likeness class/*/maze.*\n  judge likeness --sheet class/ game maze --base template.cpp",
		RunE: func(cmd *cobra.Command, args []string) error {
			if l.sheet == "" && len(args) < 2 {
				return cli.Usage(errors.New("likeness needs two submissions, or --sheet and problems (hint: judge likeness --sheet class/ game)"))
			}
			if l.sheet != "" && len(args) == 0 {
				return cli.Usage(errors.New("--sheet needs the problems (hint: judge likeness --sheet class/ game maze)"))
			}
			return l.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&l.sheet, "sheet", "", "compare what several students handed in, in this `folder or table` (docs/sheets.md)")
	f.StringArrayVar(&l.base, "base", nil, "a `file or folder` that all were given, whose code does not count; may be repeated")
	f.BoolVarP(&l.verbose, "verbose", "v", false, "show all pairs side by side")
	return cmd
}

func (l *likenessOptions) run(ctx context.Context, args []string) (err error) {
	_, c, err := l.PackageConfig()
	if err != nil {
		return err
	}
	groups, err := l.groups(ctx, args)
	defer func() { err = errors.Join(err, l.found.Close()) }()
	if err != nil {
		return err
	}
	base, err := l.programs("", l.base, nil, c.Build.Languages)
	if err != nil {
		return err
	}
	var list []findings.Likeness
	for _, g := range groups {
		one := findings.Likeness{Group: g.problem}
		if one.Programs, err = l.programs(g.problem, g.paths, g.names, c.Build.Languages); err != nil {
			return err
		}
		if one.Pairs, one.Common, err = likeness.Find(ctx, one.Programs, base); err != nil {
			return err
		}
		one.Same = likeness.Same(one.Programs, base)
		list = append(list, one)
	}
	t := l.Std.Terminal(l.Std.Out)
	return findings.Likenesses(l.Std.Out, list, l.verbose, layout.Options{Color: t.Color, Width: t.Width})
}

// likenessGroup holds submissions that are compared with one another.
type likenessGroup struct {
	problem      string
	paths, names []string // names may be nil
}

// groups returns the submissions of the arguments, or those of a sheet by problem.
func (l *likenessOptions) groups(ctx context.Context, args []string) (groups []likenessGroup, err error) {
	if l.sheet == "" {
		return []likenessGroup{{paths: args}}, nil
	}
	var ids []string
	var languages map[string]build.Language
	for _, name := range args {
		s, err := l.Open(ctx, name, 0)
		if err != nil {
			return nil, err
		}
		ids, languages = append(ids, s.ID), s.Config.Build.Languages
		if s.Close(&err); err != nil {
			return nil, err
		}
	}
	l.found, err = sheet.Read(ctx, l.sheet, ids, func(file string) bool { return build.IsSource(file, languages) }, sheet.Options{})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		one := likenessGroup{problem: id}
		for _, e := range l.found.Entries {
			if e.Problem == id && e.Wrong == "" {
				one.paths, one.names = append(one.paths, e.Path), append(one.names, e.Student)
			}
		}
		groups = append(groups, one)
	}
	return groups, nil
}

// programs reads submissions for a problem, whose id may say which of their files is the main one, and leaves out with a
// note what has no source. Their names are names, or the paths if that is nil.
func (l *likenessOptions) programs(problem string, paths, names []string, languages map[string]build.Language) (list []likeness.Program, err error) {
	files := repo.Bare("", problem).Files
	for i, path := range paths {
		source, err := files.Contestant(cli.Cleaned(path), "", languages)
		if err != nil {
			return nil, cli.Usage(err)
		}
		text := cli.Text(source, languages)
		if text == "" {
			l.Std.Note("note: %s: no source in a known language", l.found.Show(path))
			continue
		}
		p := likeness.Program{Name: path, Language: source.Language, Text: text}
		if names != nil {
			p.Name = names[i]
		}
		list = append(list, p)
	}
	return list, nil
}
