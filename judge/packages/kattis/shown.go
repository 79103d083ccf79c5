package kattis

import (
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// shownSamples reads the samples as statements show them: in the Kattis formats a sample may have other
// files for that than for judging, or only an interaction.
func (p *reader) shownSamples() ([]problem.Shown, error) {
	files := map[string][2]string{} // input and answer of the samples that are cases
	var names []string
	for _, c := range p.Cases {
		if c.Group == "sample" || c.Group == "samples" {
			files[c.Name] = [2]string{c.Input, c.Answer}
			names = append(names, c.Name)
		}
	}
	{
		const dir = "data/sample"
		if _, isDir, err := p.Tree.Kind(dir); err != nil {
			return nil, err
		} else if isDir {
			list, err := p.Tree.List(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				name, ext := splitName(e.Name)
				if full := "sample/" + name; !e.Dir && (ext == ".interaction" || ext == ".in.statement") && !slices.Contains(names, full) {
					names = append(names, full)
				}
			}
		}
		slices.Sort(names)
	}
	list := make([]problem.Shown, len(names))
	for i, name := range names {
		s := &list[i]
		s.Name = name
		for _, part := range []struct {
			to      *string
			given   string   // file of the case
			instead []string // extensions of files to show instead, the best first
		}{
			{&s.Interaction, "", []string{".interaction"}},
			{&s.Input, files[name][0], []string{".in.statement"}},
			{&s.Output, files[name][1], []string{".ans.statement", ".out"}},
		} {
			text, err := p.firstOf("data/"+name, part.instead, part.given)
			if err != nil {
				return nil, err
			}
			*part.to = text
		}
	}
	return list, nil
}

// firstOf reads the first of the files with these extensions that exists in a package of the Kattis
// formats, or else a file of a case, of which "" means none.
func (p *reader) firstOf(base string, extensions []string, given string) (string, error) {
	for _, ext := range extensions {
		if data, err := p.Tree.Head(base+ext, draft.MaxShown); data != nil || err != nil {
			return strings.ReplaceAll(string(data), "\r\n", "\n"), err
		}
	}
	return p.ShownFile(given)
}
