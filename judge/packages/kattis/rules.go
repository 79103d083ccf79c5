package kattis

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// submissionRule is an entry of submissions.yaml: a pattern of paths and its settings.
type submissionRule struct {
	pattern string
	line    int
	folder  string // folder whose default rule this entry replaces; "" if it adds to the default
	used    bool   // whether the pattern matches a submission

	language, entrypoint string
	authors              []string
	model                *bool
	rules                []problem.Rule
	score                *[2]float64
}

func (r *submissionRule) from() string { return fmt.Sprintf("%s:%d", submissionsFile, r.line) }

// promises reports whether the rule sets verdicts or a score to expect.
func (r *submissionRule) promises() bool { return len(r.rules) > 0 || r.score != nil }

// describe copies the rule's language, entry point, authors and model flag to a submission.
func (r *submissionRule) describe(s *problem.Submission) {
	if r.language != "" {
		s.Language = r.language
	}
	if r.entrypoint != "" {
		s.Entrypoint = r.entrypoint
	}
	if r.authors != nil {
		s.Authors = r.authors
	}
	if r.model != nil {
		s.Model = *r.model
	}
}

// readRules reads submissions.yaml. An entry for a folder with a default rule keeps the default for
// the keys that it does not set.
func (p *reader) readRules() ([]submissionRule, error) {
	root, err := p.Document(submissionsFile)
	if err != nil {
		return nil, err
	}
	keys, err := p.sparing(root, spareRules).Pairs()
	if err != nil {
		return nil, err
	}
	if len(keys) > maxSubmissions {
		return nil, p.Tree.Errorf(submissionsFile, 0, "", "more than %d patterns", maxSubmissions)
	}
	rules := make([]submissionRule, 0, len(keys))
	patterns := map[string]bool{}
	for _, k := range keys {
		if err := p.checkPattern(k); err != nil {
			return nil, err
		}
		r := submissionRule{pattern: strings.TrimSuffix(k.Key, "/"), line: k.Line}
		if err := p.readRule(&r, k.Value, patterns); err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func (p *reader) readRule(r *submissionRule, n yamlloose.Node, patterns map[string]bool) error {
	main := problem.Rule{Permitted: draft.AnyCase, Required: draft.AnyCase, From: r.from()}
	byDefault, isFolder := defaultRules[r.pattern]
	if isFolder {
		main.Permitted, main.Required = byDefault.Permitted, byDefault.Required
	}
	isSet := false
	keys := ruleKeys(&main, &isSet)
	keys["language"], keys["entrypoint"] = yamlloose.Into(&r.language), yamlloose.Into(&r.entrypoint)
	keys["authors"] = func(n yamlloose.Node) (err error) { r.authors, err = persons(n); return err }
	keys["author"] = keys["authors"]
	keys["model_solution"] = func(n yamlloose.Node) error {
		b, err := n.Flag()
		r.model = &b
		return err
	}
	list, err := n.Pairs()
	if err != nil {
		return err
	}
	var parts []problem.Rule
	for _, k := range list {
		read, known := keys[k.Key]
		switch {
		case known:
			err = n.Read(k, read)
		case !known && k.Value.Kind() == yaml.MappingNode:
			if err := p.checkPattern(k); err != nil {
				return err
			}
			part := problem.Rule{Cases: strings.TrimSuffix(k.Key, "/"), Permitted: draft.AnyCase, Required: draft.AnyCase, From: fmt.Sprintf("%s:%d", submissionsFile, k.Line)}
			err = k.Value.Each(ruleKeys(&part, new(bool)))
			parts = append(parts, part)
			if !patterns[part.Cases] && len(patterns) < maxPatterns {
				patterns[part.Cases] = true
				p.checkUsed(part, k.Line)
			}
		default:
			n.Doc.Unknown(k, keys)
		}
		if err != nil {
			return err
		}
	}
	if isSet {
		r.score, main.Score = main.Score, nil
		r.rules = append(r.rules, main)
		if isFolder {
			r.folder = r.pattern
		}
	}
	r.rules = append(r.rules, parts...)
	return nil
}

// checkPattern rejects a pattern whose braces have too many alternatives.
func (p *reader) checkPattern(k yamlloose.Pair) error {
	if !problem.IsPattern(k.Key) {
		return p.Tree.Errorf(submissionsFile, k.Line, "", "a pattern with more than %d alternatives", problem.MaxAlternatives)
	}
	return nil
}

// maxPatterns is the number of different case patterns that are checked against all cases.
const maxPatterns = 1000

// checkUsed notes a pattern of cases that matches no case.
func (p *reader) checkUsed(r problem.Rule, line int) {
	for _, c := range p.Cases {
		if r.Match(c.Name) {
			return
		}
	}
	p.Note(submissionsFile, line, "%s is not a known key and matches no case or group", quote.Name(r.Cases))
}

// ruleKeys returns the readers of the keys of a rule. Each sets isSet to true when it reads a
// value.
func ruleKeys(r *problem.Rule, isSet *bool) map[string]func(yamlloose.Node) error {
	keys := map[string]func(yamlloose.Node) error{
		"permitted": func(n yamlloose.Node) (err error) { r.Permitted, err = verdicts(n); return err },
		"required":  func(n yamlloose.Node) (err error) { r.Required, err = verdicts(n); return err },
		"score": func(n yamlloose.Node) error {
			if n.Kind() == yaml.SequenceNode {
				return readRange(n, &r.Score)
			}
			f, err := n.Number(0)
			r.Score = &[2]float64{f, f}
			return err
		},
		"message":            yamlloose.Into(&r.Message),
		"use_for_time_limit": func(n yamlloose.Node) (err error) { r.Time, err = timeUse(n); return err },
	}
	for k, read := range keys {
		keys[k] = func(n yamlloose.Node) error { *isSet = true; return read(n) }
	}
	return keys
}

// verdicts reads one verdict or a list of them.
func verdicts(n yamlloose.Node) (verdict.Set, error) {
	list, err := n.Texts()
	if err != nil {
		return 0, err
	}
	var set verdict.Set
	for _, name := range list {
		s, ok := draft.ParseResult(name)
		if !ok {
			return 0, n.Errorf("the verdicts of the format are AC, WA, TLE and RTE; tribunal adds "+draft.Finer.String(), "unknown verdict %s", quote.Name(name))
		}
		set |= s
	}
	if set == 0 {
		return 0, n.Errorf("name a verdict, or leave the key out", "no verdicts")
	}
	return set, nil
}

func timeUse(n yamlloose.Node) (problem.TimeUse, error) {
	s, err := n.Text()
	if err != nil {
		return 0, err
	}
	switch strings.ToLower(s) {
	case "lower":
		return problem.TimeLower, nil
	case "upper":
		return problem.TimeUpper, nil
	}
	use, err := n.Flag()
	if err != nil {
		return 0, n.Errorf("write true, false, lower or upper", "unknown use_for_time_limit %s", quote.Name(s))
	}
	if use {
		return problem.TimeDefault, nil
	}
	return problem.TimeIgnore, nil
}

// persons reads the names of one person or of a list of persons. A person is a string or a mapping
// with a name.
func persons(n yamlloose.Node) ([]string, error) {
	list := []yamlloose.Node{n}
	if n.Kind() == yaml.SequenceNode {
		list = nil
		if err := n.Spend(len(n.Raw.Content)); err != nil {
			return nil, err
		}
		for i := range n.Raw.Content {
			list = append(list, n.Item(i))
		}
	}
	var people []string
	for _, one := range list {
		name := ""
		read := yamlloose.Into(&name)
		var err error
		if one.Kind() == yaml.MappingNode {
			err = one.Each(map[string]func(yamlloose.Node) error{"name": read, "email": nil, "orcid": nil, "kattis": nil})
		} else {
			err = read(one)
		}
		if err != nil {
			return nil, err
		}
		people = append(people, name)
	}
	return people, nil
}
