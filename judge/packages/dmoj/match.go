package dmoj

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// The names of inputs and answers in an archive if test_cases is not a list. DMOJ matches them
// without regard to case.
const (
	matchInput  = `(?:.*?\.in|in)`
	matchAnswer = `(?:.*?\.out|out)`
	matchNumber = `.*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$`
)

// matched finds the cases among the files of the archive by their names. Names contain the number
// of a case and may contain that of a batch; n is nil or holds the patterns.
func (d *reader) matched(n *yamlloose.Node) error {
	if d.archive == "" {
		return d.Tree.Errorf(initFile, 0, "list the cases in test_cases, or name the archive", "neither a list of cases nor an archive")
	}
	keys := &scope{}
	if n != nil {
		var err error
		if keys, err = d.plain(*n); err != nil {
			return err
		}
	}
	index := map[[2]string]*matchedCase{}
	for _, kind := range []struct{ key, first, to string }{{"input_format", matchInput, "in"}, {"output_format", matchAnswer, "out"}} {
		first, pattern := regexp.MustCompile(`(?i)^`+kind.first), matchNumber
		if v := keys.get(kind.key); v != nil {
			own, err := v.Text()
			if err != nil {
				return err
			}
			first, pattern = regexp.MustCompile(``), own
		}
		re, err := regexp.Compile(`(?i)^(?:` + pattern + `)`)
		if err != nil {
			return keys.get(kind.key).Wrong("list the cases instead", "a pattern that is not supported: %v", err)
		}
		if err := d.match(first, re, kind.to, index); err != nil {
			return err
		}
	}
	return d.inOrder(index, keys)
}

// matchedCase holds the names of the files of a case in the archive, and its numbers.
type matchedCase struct {
	batch, number string // batch is "" for none
	in, out       string
}

// match adds the files of the archive whose names match.
func (d *reader) match(first, re *regexp.Regexp, to string, index map[[2]string]*matchedCase) error {
	return d.Tree.Walk(d.archive, func(rel string, e *tree.Entry) (bool, error) {
		name := strings.TrimPrefix(rel, d.archive+"/")
		m := re.FindStringSubmatch(name)
		if e.Dir || m == nil || !first.MatchString(name) {
			return true, nil
		}
		one := matchedCase{}
		for i, group := range re.SubexpNames() {
			switch group {
			case "batch":
				one.batch = m[i]
			case "case":
				one.number = m[i]
			}
		}
		if one.number == "" {
			return false, d.Tree.Errorf(rel, 0, "", "its name matches, but without the number of a case")
		}
		key := [2]string{canonical(one.batch), canonical(one.number)}
		if index[key] == nil {
			index[key] = &one
		}
		file := &index[key].in
		if to == "out" {
			file = &index[key].out
		}
		if *file != "" {
			return false, d.Tree.Errorf(rel, 0, "", "%s has the same numbers", quote.Name(*file))
		}
		*file = name
		return true, nil
	})
}

// canonical returns a number without leading zeros, and any other text as it is.
func canonical(text string) string {
	if n, err := strconv.Atoi(text); err == nil {
		return strconv.Itoa(n)
	}
	return text
}

// inOrder adds the cases in the order of their numbers. Names that are not numbers come first.
// A case without a batch whose number is that of a batch belongs to it.
func (d *reader) inOrder(index map[[2]string]*matchedCase, keys *scope) error {
	var points []*yamlloose.Node
	if v := keys.get("case_points"); v != nil {
		points = v.Items()
	}
	batches := map[string]bool{}
	for key := range index {
		batches[key[0]] = true
	}
	rank := func(text string) int {
		if _, err := strconv.Atoi(text); err == nil {
			return 1
		}
		return 0
	}
	compare := func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), draft.Natural(canonical(a), canonical(b)))
	}
	var list []*matchedCase
	for key, one := range index {
		if one.batch == "" && batches[key[1]] {
			one.batch = one.number
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b *matchedCase) int {
		return cmp.Or(compare(cmp.Or(a.batch, a.number), cmp.Or(b.batch, b.number)), cmp.Compare(a.batch, b.batch), compare(a.number, b.number))
	})
	for i := 0; i < len(list); {
		s := &scope{line: d.top.line, keys: map[string]yamlloose.Node{}, outer: d.top}
		if points != nil {
			if len(points) == 0 {
				return keys.get("case_points").Wrong("", "fewer values than cases and batches")
			}
			s.keys["points"], points = *points[0], points[1:]
		}
		batch := list[i].batch
		end := i + 1
		for end < len(list) && batch != "" && canonical(list[end].batch) == canonical(batch) {
			end++
		}
		var all []*scope
		for _, of := range list[i:end] {
			all = append(all, of.scope(s))
		}
		var err error
		if batch != "" {
			err = d.addBatch(s, all, nil, false)
		} else {
			err = d.single(all[0], false)
		}
		if err != nil {
			return err
		}
		i = end
	}
	return nil
}

// scope returns the keys that name the files of a case.
func (m *matchedCase) scope(outer *scope) *scope {
	s := &scope{line: outer.line, keys: map[string]yamlloose.Node{}, outer: outer}
	for key, name := range map[string]string{"in": m.in, "out": m.out} {
		if name != "" {
			s.keys[key] = outer.line.Doc.Node(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: outer.line.Line()})
		}
	}
	return s
}
