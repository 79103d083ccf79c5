package pisek

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
)

// source returns the path of the program of a name, with or without its extension; "" if there is none.
func (r *reader) source(name string) (string, error) {
	for _, ext := range []string{".py", ".sh", ".c", ".cc", ".cpp", ".pas", ".rs", ""} {
		rel := path.Clean(name + ext)
		if !fs.ValidPath(rel) {
			return "", nil // no program
		}
		if file, _, err := r.p.Tree.Kind(rel); err != nil || file && path.Ext(rel) != "" {
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
		err = r.p.Compose(rel)
	}
	return rel, strings.Fields(r.get("args", sections...).text), err
}

// solutions reads the sections of solutions.
func (r *reader) solutions() error {
	p := r.p
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
		case slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Path == rel }):
			return r.wrong(run, "", "two solutions run %s", quote.Name(rel))
		}
		if primary {
			r.primary = rel
		}
		for _, key := range []string{"time_limit", "mem_limit"} {
			if v := r.get(key, "run_solution_"+run.text); v.text != "" {
				p.Note(file, v.line, "%s of a single solution is ignored: that of all others counts", key)
			}
		}
		p.Submissions = append(p.Submissions, problem.Submission{Path: rel, Model: primary, Expect: problem.Expect{From: file + ": [" + name + "]"}})
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
	p := r.p
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
		if file, _, err := p.Tree.Kind(rel); err != nil {
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
			if file, _, err := p.Tree.Kind(rel); err != nil {
				return err
			} else if file {
				files = append([]string{path.Base(rel)}, files...)
			}
		}
		if files != nil {
			p.AddInclude(language, dir, files)
		}
	}
	return nil
}
