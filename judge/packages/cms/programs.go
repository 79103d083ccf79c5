package cms

import (
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// program returns the first program in dir with one of the names; "" if there is none. It is
// composed with the other files of its folder that it may include.
func (r *reader) program(dir string, names ...string) (string, error) {
	for _, name := range names {
		if _, isDir, err := r.p.Tree.Kind(path.Join(dir, name)); err != nil || isDir {
			return path.Join(dir, name), err
		}
		for _, ext := range append(draft.CmsExtensions, "") {
			rel := path.Join(dir, name+ext)
			if file, _, err := r.p.Tree.Kind(rel); err != nil {
				return "", err
			} else if file {
				return rel, r.p.Compose(rel)
			}
		}
	}
	return "", nil
}

// programs reads checker, validator, graders and solutions.
func (r *reader) programs() error {
	p := r.p
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "controller")
		if err != nil {
			return err
		}
		if rel != "" {
			return p.Tree.Errorf(rel, 0, "", "tasks whose controller starts submissions (Interactive) are not supported")
		}
		if rel, err = r.program(dir, "manager"); err != nil {
			return err
		}
		if rel != "" && p.OutputOnly {
			return p.Tree.Errorf(rel, 0, "leave out output_only", "a manager of a task whose submissions are outputs")
		}
		if rel != "" {
			if err := p.Adapt(rel, draft.Adapter{Script: draft.Manager}); err != nil {
				return err
			}
			p.Validation.Interactive = true
			r.manager, p.InFile, p.OutFile = rel, "", ""
			return r.validator()
		}
	}
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "checker", "correttore")
		if err != nil {
			return err
		}
		if rel != "" {
			p.Validation.Programs = []string{rel}
			break
		}
	}
	return r.validator()
}

// processes reads how many processes of a submission the manager talks to.
func (r *reader) processes(n yamlloose.Node) error {
	count, err := n.Number(0)
	if err == nil && count > 1 {
		err = n.Wrong("judge runs one", "a manager that talks to several processes of a submission is not supported")
	}
	return err
}

// userIO reads where submissions find the pipes of the manager.
func (r *reader) userIO(n yamlloose.Node) error {
	io, err := n.Text()
	if err == nil && io != "std_io" && io != "fifo_io" {
		err = n.Wrong("write std_io or fifo_io", "%s is no way to talk to a manager", quote.Name(io))
	}
	r.io = io
	return err
}

// validator reads the input validator, and then the solutions.
func (r *reader) validator() error {
	p := r.p
	rel, err := r.program("gen", "validator", "valida", "validatore")
	if err != nil {
		return err
	}
	if rel != "" {
		p.InputPrograms = []string{rel}
	}
	return r.solutions()
}

// graders reads the programs in sol/ that are linked with submissions, and the headers beside them. It
// returns their names by extension; that of an unsupported one is "".
func (r *reader) graders(list []tree.Entry) (map[string]string, error) {
	p := r.p
	bases := []string{"grader", "stub"}
	if r.manager != "" {
		slices.Reverse(bases)
	}
	headers := map[string][]string{} // by extension of graders
	graders := map[string]string{}
	for _, base := range bases {
		for _, e := range list {
			ext := path.Ext(e.Name)
			if e.Dir || strings.TrimSuffix(e.Name, ext) != base || !slices.Contains(draft.CmsExtensions, ext) {
				continue
			}
			if _, known := graders[ext[1:]]; known {
				continue
			}
			graders[ext[1:]] = ""
			if ext == ".c" || ext == ".cpp" || ext == ".pas" {
				graders[ext[1:]] = e.Name
			} else {
				p.NoteFile("sol", "graders in languages in which none is supported, so no submission is", path.Join("sol", e.Name))
			}
		}
	}
	for _, e := range list {
		switch ext := path.Ext(e.Name); {
		case e.Dir:
		case ext == ".h" || ext == ".hpp":
			headers["c"], headers["cpp"] = append(headers["c"], e.Name), append(headers["cpp"], e.Name)
		case strings.HasSuffix(e.Name, "lib.pas"):
			headers["pas"] = append(headers["pas"], e.Name)
		}
	}
	for _, ext := range draft.SortedKeys(graders) {
		language := ext
		if ext == "pas" {
			language = "pascal"
		}
		if graders[ext] != "" {
			p.AddInclude(language, "sol", append([]string{graders[ext]}, headers[ext]...))
			p.Languages = append(p.Languages, language)
		}
	}
	if len(graders) > 0 && len(p.Include) == 0 {
		return nil, p.Tree.Errorf("sol", 0, "add grader.cpp, grader.c or grader.pas", "no grader is in a supported language")
	}
	return graders, nil
}

// solutions reads the programs in sol/. Those called solution promise to be accepted.
func (r *reader) solutions() error {
	p := r.p
	list, err := p.ListSkipping("sol")
	if err != nil {
		return err
	}
	graders, err := r.graders(list)
	if err != nil {
		return err
	}
	for _, e := range list {
		ext := path.Ext(e.Name)
		base := strings.TrimSuffix(e.Name, ext)
		rel := path.Join("sol", e.Name)
		switch {
		case e.Dir && len(graders) == 0:
		case e.Dir || !slices.Contains(draft.CmsExtensions, ext) || ext == ".sh" && !official(base) || base == "grader" || base == "stub":
			continue
		case ext == ".pas" && strings.HasSuffix(base, "lib"), strings.HasPrefix(base, "template"):
			continue
		case len(graders) > 0 && graders[ext[1:]] == "" && ext != ".cc":
			p.NoteFile("sol", "submissions in languages without a supported grader, not judged", rel)
			continue
		}
		s := problem.Submission{Path: rel}
		if official(base) {
			s.Model = !slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Model }) && slices.Contains([]string{".cpp", ".c", ".cc"}, ext)
			s.Expect = problem.Expect{Final: draft.Accepted, From: "its name"}
		}
		p.Submissions = append(p.Submissions, s)
	}
	return nil
}

// statements finds the statement in statement/ or testo/.
func (r *reader) statements() error {
	for _, dir := range []string{"statement", "testo"} {
		for _, ext := range []string{".md", ".txt", ".tex", ".pdf"} {
			rel := path.Join(dir, dir+ext)
			if file, _, err := r.p.Tree.Kind(rel); err != nil {
				return err
			} else if file {
				language := "it"
				if pairs, err := r.root.Pairs(); err == nil {
					for _, k := range pairs {
						if code, _ := k.Value.Text(); k.Key == "primary_language" && code != "" {
							language = code
						}
					}
				}
				r.p.Statements = append(r.p.Statements, draft.Statement{Language: language, Path: rel})
			}
		}
	}
	return nil
}

// official reports whether a program in sol/ with that name, but for the extension, makes the outputs.
func official(base string) bool { return base == "solution" || base == "soluzione" }
