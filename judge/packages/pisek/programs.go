package pisek

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
)

// source returns the path of the program of a name, with or without its extension; "" if there is none.
func (r *reader) source(name string) (string, error) {
	for _, ext := range []string{".py", ".sh", ".c", ".cc", ".cpp", ".pas", ".rs", ""} {
		rel := path.Clean(name + ext)
		if !fs.ValidPath(rel) {
			return "", nil // no program
		}
		if file, _, err := r.Tree.Kind(rel); err != nil || file && path.Ext(rel) != "" {
			return rel, err
		}
	}
	return "", nil
}

// program returns the path of the program that a section run… describes, and its first arguments.
func (r *reader) program(of value, name string, sections ...string) (string, []string, error) {
	sections = append(sections, "run")
	if exec := r.get("exec", sections...).text; exec != "@auto" {
		name = exec
	}
	if name == "" {
		return "", nil, r.wrong(of, "write its name without the extension", "no program is named")
	}
	full := path.Join(r.get("subdir", sections...).text, name)
	rel, err := r.source(full)
	if err == nil && rel == "" {
		err = r.wrong(of, "add "+full+".py, or in another language", "there is no program %s", quote.Name(full))
	}
	if err == nil {
		err = r.Compose(rel)
	}
	return rel, strings.Fields(r.get("args", sections...).text), err
}

// solutions reads the sections of solutions.
func (r *reader) solutions() error {
	for _, name := range r.sections() {
		m := solution().FindStringSubmatch(name)
		if m == nil {
			continue
		}
		primary, err := r.flag("primary", name, "solutions")
		if err != nil {
			return err
		}
		run := r.get("run", name, "solutions")
		kind := "run_secondary_solution"
		if primary {
			kind = "run_primary_solution"
		}
		if run.text == "@auto" {
			run.text = m[1]
		}
		rel, args, err := r.program(run, run.text, "run_solution_"+run.text, kind, "run_solution")
		switch {
		case err != nil:
			return err
		case len(args) > 0:
			return r.wrong(run, "", "arguments of the solution %s are not supported", quote.Name(m[1]))
		case primary && r.primary != "":
			return r.wrong(run, "leave it out at one of them", "two solutions have primary=yes")
		case slices.ContainsFunc(r.Submissions, func(s problem.Submission) bool { return s.Path == rel }):
			return r.wrong(run, "", "two solutions run %s", quote.Name(rel))
		}
		if primary {
			r.primary = rel
		}
		for _, key := range []string{"time_limit", "mem_limit"} {
			if v := r.get(key, "run_solution_"+run.text); v.text != "" {
				r.Note(file, v.line, "%s of a single solution is ignored: that of all others counts", key)
			}
		}
		r.Submissions = append(r.Submissions, problem.Submission{Path: rel, Model: primary, Expect: problem.Expect{From: file + ": [" + name + "]"}})
		r.of = append(r.of, name)
	}
	return nil
}

// sections returns the names of all sections, those of the first file first.
func (r *reader) sections() (list []string) {
	known := map[string]bool{}
	for _, c := range r.configs {
		for _, name := range c.sections {
			if !known[name] {
				list, known[name] = append(list, name), true
			}
		}
	}
	return list
}

// stub reads the files that are linked with solutions in C and C++.
func (r *reader) stub() error {
	stub, headers := r.get("stub", "solutions"), r.get("headers", "solutions")
	if stub.text == "" && headers.text == "" {
		return nil
	}
	var names []string
	dir := path.Dir(path.Clean(stub.text))
	for _, rel := range strings.Fields(headers.text) {
		if rel = path.Clean(rel); stub.text == "" {
			dir = path.Dir(rel)
		}
		if path.Dir(rel) != dir {
			return r.wrong(headers, "put them into one folder", "headers in another folder than the stub are not supported")
		}
		if file, _, err := r.Tree.Kind(rel); err != nil {
			return err
		} else if !file {
			return r.wrong(headers, "add it", "there is no %s", quote.Name(rel))
		}
		names = append(names, path.Base(rel))
	}
	for _, language := range []string{"c", "cpp"} {
		files := slices.Clone(names)
		if stub.text != "" {
			rel := path.Clean(stub.text) + "." + language
			if file, _, err := r.Tree.Kind(rel); err != nil {
				return err
			} else if file {
				files = append([]string{path.Base(rel)}, files...)
			}
		}
		if files != nil {
			r.AddInclude(language, dir, files)
		}
	}
	return nil
}

// promises reads what the solutions promise: the result of each test, and points.
func (r *reader) promises() error {
	for i := range r.Submissions {
		s := &r.Submissions[i]
		section := r.of[i]
		if err := r.results(s, section); err != nil {
			return err
		}
		points, _, err := r.number("points", section, "solutions")
		if err != nil {
			return err
		}
		least, _, err := r.number("points_min", section, "solutions")
		if err != nil {
			return err
		}
		most, v, err := r.number("points_max", section, "solutions")
		switch {
		case err != nil:
			return err
		case points >= 0 && (least >= 0 || most >= 0):
			return r.wrong(v, "give one of them", "[%s] has points and their bounds", section)
		case points >= 0:
			least, most = points, points
		case most < 0:
			most = math.Inf(1)
		}
		if r.Scoring && (least >= 0 || !math.IsInf(most, 1)) {
			s.Expect.Score = &[2]float64{max(0, least), most}
		}
	}
	return nil
}

// results maps the results of tests to verdicts of which at least one case gets one.
var results = map[rune]verdict.Set{'1': draft.Accepted, '0': draft.Rejected, 'P': draft.Accepted, 'W': draft.Wrong, '!': draft.Crashed, 'T': draft.Slow, 'X': 0}

// results reads the results of the tests, a letter for each.
func (r *reader) results(s *problem.Submission, section string) error {
	v := r.get("tests", section, "solutions")
	if older := r.get("subtasks", section); older.text != "" {
		v = older
	}
	switch {
	case v.text == "@all" || v.text == "@auto" && s.Model:
		v.text = strings.Repeat("1", len(r.tests))
	case v.text == "@any" || v.text == "@auto":
		v.text = strings.Repeat("X", len(r.tests))
	}
	if len(v.text) != len(r.tests) {
		return r.wrong(v, "give the result of each test, such as 11W", "[%s] has results of %d tests, but there are %d", section, len(v.text), len(r.tests))
	}
	if s.Model && strings.Trim(v.text, "1") != "" {
		return r.wrong(v, "write tests=@all", "the primary solution does not promise all tests")
	}
	if strings.Trim(v.text, "1") == "" {
		s.Expect.Final = draft.Accepted
	}
	for i, letter := range v.text {
		set, known := results[letter]
		if !known {
			return r.wrong(v, "they are 1, 0, P, W, !, T and X", "unknown result %s", quote.Name(string(letter)))
		}
		t := r.tests[i]
		if set == 0 || t.inputs == nil {
			continue
		}
		rule := problem.Rule{Cases: r.groupOf(t), Permitted: draft.AnyCase, Required: set, From: s.Expect.From}
		if set == draft.Accepted {
			rule.Permitted = draft.Accepted
			if least := 1e-6; letter == 'P' && t.points > 0 {
				rule.Score = &[2]float64{0, t.points - least}
			} else if t.points > 0 && r.Validation.Programs != nil {
				rule.Score = &[2]float64{t.points, t.points}
			}
		}
		s.Expect.Rules = append(s.Expect.Rules, rule)
	}
	return r.CountRules(file, v.line, len(s.Expect.Rules))
}

// answers makes the outputs that the package lacks, by the primary solution.
func (r *reader) answers() error {
	if r.Validation.Interactive {
		for _, c := range r.Cases {
			if err := r.Sizes(c); err != nil {
				return err
			}
		}
		return nil
	}
	return r.MakeAnswers(r.primary, func(c *draft.Case) error {
		return r.Tree.Errorf(c.Answer, 0, "add primary=yes to a section [solution_…]", "no such file, and no solution that makes it")
	})
}
