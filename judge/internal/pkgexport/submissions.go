package pkgexport

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// submission is an example to be judged by whoever reads the package.
type submission struct {
	*program
	path    string // its slash path below submissions/ of the package
	single  bool   // one file, which stands there itself
	want    verdict.Verdict
	model   bool // the reference solver
	second  bool // the problem's brute, which may exceed limits
	partial bool // it gets a part of the points; want is None
}

// The folders of the package formats that are not verdicts' own.
const (
	rejected   = "rejected"
	bruteForce = "brute_force"
)

// folder returns that of the package formats for submissions that get a verdict: its own
// if the formats know it, and else the one that says the least.
func folder(v verdict.Verdict) string {
	if v == verdict.CE || v.ICPC() != v {
		return rejected
	}
	return v.Folder()
}

// nameRule is what the formats allow as a name.
var nameRule = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`)

// submissions returns the reference, the brute if there is one, and the examples, in
// order of their paths.
func (p *plan) submissions() ([]submission, error) {
	var list []submission
	reference, err := p.own(p.CaseData.Problem.Reference)
	if err != nil {
		return nil, err
	}
	list = append(list, submission{program: reference, path: "accepted/reference", want: verdict.AC, model: true})
	if _, err := os.Stat(filepath.Join(p.CaseData.Problem.Root, p.CaseData.Problem.Brute)); err == nil {
		brute, err := p.own(p.CaseData.Problem.Brute)
		if err != nil {
			return nil, err
		}
		list = append(list, submission{program: brute, path: path.Join(bruteForce, "brute"), second: true})
	}
	leftOut := 0
	for i := range p.Problem.Submissions {
		e := &p.Problem.Submissions[i]
		// Folders speak of all cases: what is refused may be accepted on some.
		if want := e.Expect.Main(); len(p.LeftOut) > 0 && want != verdict.AC && want != verdict.CE {
			leftOut++
			continue
		}
		s, err := p.example(e)
		if err != nil {
			return nil, err
		}
		if s != nil {
			list = append(list, *s)
		}
	}
	if leftOut > 0 {
		p.note("examples that are not accepted are left out, %d of them: some may be so on cases left out alone", leftOut)
	}
	taken := map[string]bool{}
	for i := range list {
		s := &list[i]
		if taken[s.path] {
			s.moveAside(taken)
		}
		taken[s.path] = true
	}
	slices.SortFunc(list, func(a, b submission) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// moveAside gives a submission whose name is taken a folder with another.
func (s *submission) moveAside(taken map[string]bool) {
	dir, name := path.Split(s.path)
	stem := s.want.Folder() + "_" + strings.TrimSuffix(name, path.Ext(name))
	s.single = false
	s.path = dir + stem
	for n := 2; taken[s.path]; n++ {
		s.path = fmt.Sprintf("%s%s_%d", dir, stem, n)
	}
}

// example reads an example submission; it returns nil for one that no package can have.
func (p *plan) example(e *problem.Submission) (*submission, error) {
	at, want := p.Problem.Show(e.Path), e.Expect.Main()
	source, err := p.Problem.Own(e, p.CaseData.Builder.Languages())
	if err != nil {
		return nil, build.Located(at, err)
	}
	if source.Language == build.Binary {
		p.note("%s is left out: an executable is no source", at)
		return nil, nil
	}
	s := &submission{program: &program{files: map[string][]byte{}, language: source.Language}, path: path.Join(folder(want), filepath.Base(at)), want: want}
	if e.Expect.Partial {
		s.partial, s.path = true, path.Join(repo.Partially, filepath.Base(at))
	}
	err = filepath.WalkDir(at, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name != at && repo.Ignored(d.Name()) {
			if err == nil && d.IsDir() {
				err = fs.SkipDir
			}
			return err
		}
		if !nameRule.MatchString(d.Name()) {
			return &yamlstrict.Error{File: name, Msg: "a name that package formats do not allow", Hint: "use letters, digits, dots, dashes and underscores of ASCII"}
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(at, name)
		if rel == "." {
			rel, s.single = filepath.Base(name), true
		}
		s.files[filepath.ToSlash(rel)] = text
		return err
	})
	if pe, ok := err.(*fs.PathError); ok {
		err = yamlstrict.FileError(pe.Path, pe)
	}
	return s, err
}

// submit adds the files of a submission, below a folder of the package.
func (p *plan) submit(dir string, s submission) {
	p.summary.Submissions++
	for name, text := range s.files {
		if s.single {
			p.bytes(path.Join(dir, s.path), text)
		} else {
			p.bytes(path.Join(dir, s.path, name), text)
		}
	}
}

// comments begin a comment of one line, by the ending of a file.
var comments = map[string][2]string{
	".c": {"// "}, ".cc": {"// "}, ".cpp": {"// "}, ".cxx": {"// "}, ".C": {"// "}, ".cs": {"// "}, ".go": {"// "},
	".java": {"// "}, ".kt": {"// "}, ".js": {"// "}, ".mjs": {"// "}, ".cjs": {"// "}, ".ts": {"// "}, ".rs": {"// "},
	".pas": {"// "}, ".pp": {"// "}, ".scala": {"// "}, ".swift": {"// "}, ".d": {"// "},
	".py": {"# "}, ".rb": {"# "}, ".pl": {"# "}, ".sh": {"# "}, ".bash": {"# "}, ".awk": {"# "}, ".jl": {"# "}, ".r": {"# "},
	".hs": {"-- "}, ".lua": {"-- "}, ".ml": {"(* ", " *)"}, ".lisp": {"; "},
}

// annotate puts the results that a submission may get into its first source, where
// tools look for them; it reports false if there is no place for it.
func (s *submission) annotate(languages map[string]build.Language, results string) bool {
	for _, name := range s.sources(languages) {
		c, known := comments[path.Ext(name)]
		if !known {
			continue
		}
		line := c[0] + "@EXPECTED_RESULTS@: " + results + c[1] + "\n"
		text := string(s.files[name])
		first := ""
		if strings.HasPrefix(text, "#!") { // which has to come first
			var rest string
			var more bool
			if first, rest, more = strings.Cut(text, "\n"); more {
				first, text = first+"\n", rest
			} else {
				first, text = first+"\n", ""
			}
		}
		s.files[name] = []byte(first + line + text)
		return true
	}
	return false
}
