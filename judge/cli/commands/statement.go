package commands

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/tty"
	"tribunal/judge/publish/browser"
	"tribunal/judge/publish/statement"
)

type statementOptions struct {
	*cli.App
	html, pdf, md bool
	out, language string
}

// pageFormats are the formats of judge statement, which are also the endings of their files.
var pageFormats = []string{"html", "pdf", "md"}

func StatementCommand(o *cli.App) *cobra.Command {
	s := &statementOptions{App: o}
	cmd := &cobra.Command{
		Use:   "statement PROBLEM|PACKAGE",
		Short: "Write a problem's statement as a page to publish",
		Long: `Write the statement of a problem or package, with its limits and samples, as a page to
publish: HTML, which is one file with formulas and images in it, without scripts; PDF,
which Chromium prints of that, unless the package has a PDF itself; or Markdown.

What cannot be shown as it was meant, such as a formula, is reported and stays in the
page as its source; the exit status is then 1 (docs/statements.md).`,
		Example: "  judge statement maze --html -o maze.html\n  judge statement maze -o maze.pdf\n  judge statement problem.zip --md --language sv",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("statement needs one problem (hint: judge statement maze -o maze.html)"))
			}
			return s.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.BoolVar(&s.html, "html", false, "write HTML")
	f.BoolVar(&s.pdf, "pdf", false, "write PDF")
	f.BoolVar(&s.md, "md", false, "write Markdown")
	f.StringVarP(&s.out, "output", "o", "", "write to this `file`; its ending chooses the format if no flag does (default: standard output)")
	f.StringVar(&s.language, "language", "", "the statement in this `language`, such as de")
	return cmd
}

// format returns the format that the flags choose.
func (s *statementOptions) format() (string, error) {
	var chosen []string
	for i, on := range []bool{s.html, s.pdf, s.md} {
		if on {
			chosen = append(chosen, pageFormats[i])
		}
	}
	switch ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(s.out)), "."); {
	case len(chosen) > 1:
		return "", cli.Usage(fmt.Errorf("--%s and --%s: a page has one format (hint: run the command once for each)", chosen[0], chosen[1]))
	case len(chosen) == 1:
		return chosen[0], nil
	case slices.Contains(pageFormats, ending):
		return ending, nil
	}
	return "", cli.Usage(errors.New("no format (hint: --html, --pdf or --md, or -o with a name that ends so)"))
}

func (s *statementOptions) run(ctx context.Context, name string) (err error) {
	format, err := s.format()
	if err != nil {
		return err
	}
	if err := cli.CheckFile("-o", s.out); err != nil {
		return err
	}
	if format == "pdf" && s.out == "" && s.Std.Terminal(s.Std.Out).Width > 0 {
		return cli.Usage(errors.New("--pdf: a terminal cannot show it (hint: -o FILE.pdf)"))
	}
	p, err := s.Open(ctx, name, 0)
	if err != nil {
		return err
	}
	defer p.Close(&err)
	file, err := s.choose(p.Problem, name, format)
	if err != nil {
		return err
	}
	if file != nil && path.Ext(file.Path) == ".pdf" {
		data, err := file.Read()
		if err == nil && !bytes.HasPrefix(data, []byte("%PDF-")) {
			err = cli.Usage(fmt.Errorf("%s: it is not a PDF", file.Path))
		}
		if err != nil {
			return err
		}
		s.Std.Note("note: the package has a PDF, which is written as it is: %s", file.Path)
		return s.write(data)
	}
	page, err := pageOf(p, file)
	if err != nil {
		return err
	}
	data, err := s.render(ctx, page, format)
	if err != nil {
		return err
	}
	if err := s.write(data); err != nil {
		return err
	}
	for _, f := range page.Faults {
		s.Std.Note("%v", f.Error)
	}
	if len(page.Faults) > 0 {
		return cli.Status(cli.ExitNot)
	}
	return nil
}

// choose returns the file with the statement, and nil for the one in the problem's own file. For a
// PDF it prefers a PDF of the package.
func (s *statementOptions) choose(p *problem.Problem, name, format string) (*problem.Text, error) {
	if format == "pdf" {
		language := s.language
		if t := p.Text(language); language == "" && t != nil {
			language = t.Language
		}
		for i, t := range p.Texts {
			if path.Ext(t.Path) == ".pdf" && t.Language == language && (s.language != "" || p.Statement == "") {
				return &p.Texts[i], nil
			}
		}
	}
	file, err := textIn(p, name, s.language)
	switch {
	case err != nil:
		return nil, err
	case file == nil && p.Statement == "":
		return nil, cli.Usage(fmt.Errorf("%s: it has no statement", name))
	case file == nil:
		return nil, nil
	case !statement.Readable(file.Path) && (format != "pdf" || path.Ext(file.Path) != ".pdf"):
		hint := ""
		if path.Ext(file.Path) == ".pdf" {
			hint = " (hint: --pdf writes it)"
		}
		return nil, cli.Usage(fmt.Errorf("%s: a statement in this format cannot be read%s", file.Path, hint))
	}
	return file, nil
}

// textIn returns the file with the statement of a problem in a language, or in any if that is "". It
// returns nil for the statement in the problem's own file, and if there is none at all.
func textIn(p *problem.Problem, name, language string) (*problem.Text, error) {
	text := p.Text(language)
	own := cmp.Or(p.Language, "en")
	switch {
	case p.Statement != "" && (language == "" || text == nil && language == own):
		return nil, nil
	case text != nil || language == "":
		return text, nil
	}
	var known []string
	if p.Statement != "" {
		known = append(known, own)
	}
	for _, t := range p.Texts {
		if !slices.Contains(known, t.Language) {
			known = append(known, t.Language)
		}
	}
	return nil, cli.Usage(fmt.Errorf("%s: no statement in %s (hint: its statements are in %s)", name, language, cmp.Or(strings.Join(known, ", "), "no known language")))
}

// pageOf reads a statement of the problem, with limits and samples.
func pageOf(s *cli.Subject, file *problem.Text) (*statement.Page, error) {
	d, err := statement.Of(s.Problem, file)
	if err != nil {
		return nil, err
	}
	set, err := s.Cases()
	if err != nil {
		return nil, err
	}
	if d.Samples, err = statement.Samples(s.Problem, set); err != nil {
		return nil, err
	}
	if s.Limits.CPU == 0 {
		s.App.Std.Note("note: the page has no time limit, because it is derived from the submissions (hint: judge calibrate %s)", s.Name)
	}
	d.Facts = statement.Facts(s.Problem, s.Config.Complete(s.Limits))
	return statement.Read(d), nil
}

// render writes a page in a format.
func (s *statementOptions) render(ctx context.Context, page *statement.Page, format string) ([]byte, error) {
	if format == "md" {
		return page.Markdown(), nil
	}
	data, err := page.HTML()
	if err != nil || format == "html" {
		return data, err
	}
	defer s.Std.Announce("printing with Chromium")()
	pdf, err := browser.PDF(ctx, data)
	if errors.Is(err, browser.ErrNone) {
		return nil, cli.Usage(fmt.Errorf("--pdf: %w (hint: install it, as with apt install chromium, or print the page of --html in another browser)", err))
	}
	return pdf, err
}

// write writes the page to the file of -o or to standard output.
func (s *statementOptions) write(data []byte) error {
	if s.out == "" {
		return tty.Data(s.Std.Out, data)
	}
	return cli.WriteFile("-o", s.out, data)
}
