package pkgexport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/publish/statement"
)

// markdown returns the statement in Markdown without its title and samples, because the tools that
// display statements of the formats add them.
func markdown(p *problem.Problem) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(p.Statement) + "\n")
	section := func(title, text string) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, strings.TrimSpace(text))
	}
	section("Input", p.Input)
	section("Output", p.Output)
	if len(p.Rulings) > 0 {
		section("Remarks", "- "+strings.Join(p.Rulings, "\n- "))
	}
	return b.String()
}

// language returns the language of the statement in the problem's file.
func (p *plan) language() string { return cmp.Or(p.Problem.Language, "en") }

// ownStatement reports whether to export the statement in the problem's file. It is not exported if
// there is a statement file in the same language.
func (p *plan) ownStatement() bool { return p.Problem.Text(p.language()) == nil }

// statements plans the statement files, and the pictures beside them, in a folder of the package.
// name returns the path of a statement within that folder, and own is the folder within it of the
// statement in the problem's file.
func (p *plan) statements(dir, own string, name func(t *problem.Text) string) error {
	names := map[string]string{} // names of statements in the package, by their paths in the problem
	taken := map[string]bool{}   // the names that names holds
	folders := []string{}        // of the statements in the package
	for i := range p.Problem.Texts {
		if t := &p.Problem.Texts[i]; !taken[name(t)] {
			names[t.Path], taken[name(t)] = name(t), true
			folders = append(folders, path.Dir(name(t)))
		}
	}
	if p.ownStatement() {
		folders = append(folders, own)
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	root := p.Problem.Show(repo.Statements(p.Problem.ID))
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case file == root && errors.Is(err, fs.ErrNotExist):
			return nil // no statement has a file
		case err != nil:
			return yamlstrict.FileError(file, err)
		case d.IsDir():
			return nil
		case !d.Type().IsRegular() || repo.Ignored(d.Name()):
			return nil
		}
		below, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		to := []string{}
		if names[file] != "" {
			to = append(to, names[file])
		} else {
			for _, folder := range folders {
				to = append(to, path.Join(folder, filepath.ToSlash(below)))
			}
		}
		for _, name := range to {
			p.addFile(path.Join(dir, name), func(context.Context) ([]byte, error) { return yamlstrict.Read(file) })
		}
		return nil
	})
}

// page returns the statement in the problem's file as a page without samples.
func (p *plan) page() (*statement.Page, error) {
	d, err := statement.Of(p.Problem, nil)
	if err != nil {
		return nil, err
	}
	d.Facts = statement.Facts(p.Problem, p.Problem.Limits)
	return statement.Read(d), nil
}

// rich reports whether the statement in the problem's file has formulas or images, and notes those
// that a page cannot show.
func (p *plan) rich() (bool, error) {
	page, err := p.page()
	if err != nil {
		return false, err
	}
	for _, f := range page.Faults {
		p.note("the statement is not shown as it was meant: %v", f.Error)
	}
	return page.Rich(), nil
}

// html returns a function that returns the statement as a page with the samples, which needs no
// other files.
func (p *plan) html(samples []*cases.Case) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		page, err := p.page()
		if err != nil {
			return nil, err
		}
		for _, c := range samples {
			input, want, err := p.sample(ctx, c)
			if err != nil {
				return nil, err
			}
			page.Samples = append(page.Samples, statement.Sample{Input: string(input), Output: string(want), Note: c.Note})
		}
		return page.HTML()
	}
}

// sample returns the input and the expected output of a sample.
func (p *plan) sample(ctx context.Context, c *cases.Case) (input, want []byte, err error) {
	f, err := p.load(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	input, inputErr := f.Input.Bytes()
	want, wantErr := f.Want.Bytes()
	return input, want, errors.Join(inputErr, wantErr)
}

// localized returns the name of a statement file in the Kattis formats.
func localized(t *problem.Text) string { return "problem." + t.Language + path.Ext(t.Path) }

// names returns the problem's name for problem.yaml: a string, or a map by language if there are
// several names.
func (p *plan) names() string {
	list := []string{p.language() + ": " + quoted(p.Problem.Title)}
	for _, t := range p.Problem.Texts {
		if entry := t.Language + ": " + quoted(t.Title); t.Title != "" && t.Language != p.language() && !slices.Contains(list, entry) {
			list = append(list, entry)
		}
	}
	if len(list) == 1 {
		return quoted(p.Problem.Title)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// provenance returns the lines of problem.yaml for authors, license, keywords, languages and the
// permission to write files.
func (p *plan) provenance() string {
	q := p.Problem
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case len(q.Authors) > 0 && p.latest:
		line("credits:\n  authors: %s", inBrackets(q.Authors))
	case len(q.Authors) > 0:
		line("author: %s", quoted(strings.Join(q.Authors, ", ")))
	}
	if q.License != "" {
		line("license: %s", quoted(q.License))
	}
	if len(q.Keywords) > 0 {
		line("keywords: %s", inBrackets(q.Keywords))
	}
	switch {
	case len(q.Languages) > 0 && p.latest:
		line("languages: %s", inBrackets(q.Languages))
	case len(q.Languages) > 0:
		line("languages: %s", strings.Join(q.Languages, " "))
	}
	if p.latest && !q.ReadOnly {
		line("allow_file_writing: true")
	}
	return b.String()
}

// plainText returns a function that returns the statement as plain text, with the samples.
func (p *plan) plainText(samples []*cases.Case) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		var b strings.Builder
		q := p.Problem
		fmt.Fprintf(&b, "%s\n%s\n\n", q.Title, strings.Repeat("=", len([]rune(q.Title))))
		fmt.Fprintf(&b, "Time limit: %v\nMemory limit: %v\n\n", q.Limits.CPU, q.Limits.Memory)
		b.WriteString(markdown(q))
		for i, c := range samples {
			input, want, err := p.sample(ctx, c)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n## Sample input %d\n\n%s\n## Sample output %d\n\n%s", i+1, indented(input), i+1, indented(want))
		}
		return []byte(b.String()), nil
	}
}

// indented returns a text as an indented code block of Markdown.
func indented(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}
