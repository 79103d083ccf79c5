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
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// submission is an example submission of the package.
type submission struct {
	*program
	path       string // slash path below submissions/ of the package
	single     bool   // whether path is a file, not a folder
	want       verdict.Verdict
	model      bool // whether it is the reference
	bruteForce bool // whether it is the brute force, which may exceed limits
	partial    bool // whether it gets only part of the points; then want is None
}

// The folders of the package formats that do not belong to one verdict.
const (
	rejected   = "rejected"
	bruteForce = "brute_force"
)

// folder returns the folder of the package formats for submissions that get the verdict: the
// verdict's own if the formats have one, otherwise rejected, which promises the least.
func folder(v verdict.Verdict) string {
	if v == verdict.CE || v.ICPC() != v {
		return rejected
	}
	return v.Folder()
}

// domjudgeFolders holds for results of DOMjudge the folders whose names it reads as that result alone.
var domjudgeFolders = map[string]string{
	"CORRECT": verdict.AC.Folder(), "WRONG-ANSWER": verdict.WA.Folder(), "TIMELIMIT": verdict.TLE.Folder(), "RUN-ERROR": verdict.RTE.Folder(),
	"OUTPUT-LIMIT": "output_limit", "COMPILER-ERROR": "compiler_error",
}

// folder returns the folder of the format for submissions that get the verdict. DOMjudge has more than
// the package formats: it calls an annotation in rejected wrong, though it believes it.
func (p *plan) folder(v verdict.Verdict) string {
	if own := p.results[v.DOMjudge()]; own != "" {
		return own
	}
	return folder(v)
}

// nameRule matches the names that the formats allow.
var nameRule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`) })

// submissions returns the reference, the brute force if there is one, and the example submissions,
// sorted by path.
func (p *plan) submissions() ([]submission, error) {
	var list []submission
	reference, err := p.ownProgram(p.CaseData.Problem.Reference)
	if err != nil {
		return nil, err
	}
	list = append(list, submission{program: reference, path: "accepted/reference", want: verdict.AC, model: true})
	if _, err := os.Stat(filepath.Join(p.CaseData.Problem.Root, p.CaseData.Problem.Brute)); err == nil {
		brute, err := p.ownProgram(p.CaseData.Problem.Brute)
		if err != nil {
			return nil, err
		}
		list = append(list, submission{program: brute, path: path.Join(bruteForce, "brute"), bruteForce: true})
	}
	leftOut := 0
	for i := range p.Problem.Submissions {
		e := &p.Problem.Submissions[i]
		// A folder promises a verdict on the exported cases, but the submission may fail only on cases of
		// an optional group that is left out.
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
		p.note("left out: examples that are not accepted (%d), because they may fail only on cases that are left out", leftOut)
	}
	taken := map[string]bool{}
	for i := range list {
		s := &list[i]
		if taken[s.path] {
			s.relocate(taken)
		}
		taken[s.path] = true
	}
	slices.SortFunc(list, func(a, b submission) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// relocate moves a submission whose path is taken to a folder with an unused name.
func (s *submission) relocate(taken map[string]bool) {
	dir, name := path.Split(s.path)
	stem := s.want.Folder() + "_" + strings.TrimSuffix(name, path.Ext(name))
	s.single = false
	s.path = dir + stem
	for n := 2; taken[s.path]; n++ {
		s.path = fmt.Sprintf("%s%s_%d", dir, stem, n)
	}
}

// example reads an example submission. It returns nil, and adds a note, if the submission cannot be
// exported.
func (p *plan) example(e *problem.Submission) (*submission, error) {
	at, want := p.Problem.Show(e.Path), e.Expect.Main()
	source, err := p.Problem.Own(e, p.CaseData.Builder.Languages())
	if err != nil {
		return nil, build.Located(at, err)
	}
	if source.Language == build.Binary {
		p.note("left out: %s: an executable is not a source", at)
		return nil, nil
	}
	s := &submission{program: &program{files: map[string][]byte{}, language: source.Language}, path: path.Join(p.folder(want), filepath.Base(at)), want: want}
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
		if !nameRule().MatchString(d.Name()) {
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

// addSubmission plans the files of a submission below dir, a folder of the package.
func (p *plan) addSubmission(dir string, s submission) {
	p.summary.Submissions++
	for name, text := range s.files {
		if s.single {
			p.addBytes(path.Join(dir, s.path), text)
		} else {
			p.addBytes(path.Join(dir, s.path, name), text)
		}
	}
}

// comments holds the texts that begin and end a comment of one line, by file extension.
var comments = map[string][2]string{
	".c": {"// "}, ".cc": {"// "}, ".cpp": {"// "}, ".cxx": {"// "}, ".C": {"// "}, ".cs": {"// "}, ".go": {"// "},
	".java": {"// "}, ".kt": {"// "}, ".js": {"// "}, ".mjs": {"// "}, ".cjs": {"// "}, ".ts": {"// "}, ".rs": {"// "},
	".pas": {"// "}, ".pp": {"// "}, ".scala": {"// "}, ".swift": {"// "}, ".d": {"// "},
	".py": {"# "}, ".rb": {"# "}, ".pl": {"# "}, ".sh": {"# "}, ".bash": {"# "}, ".awk": {"# "}, ".jl": {"# "}, ".r": {"# "},
	".hs": {"-- "}, ".lua": {"-- "}, ".ml": {"(* ", " *)"}, ".lisp": {"; "},
}

// annotate adds a comment with the expected results, in DOMjudge's syntax, to the first source with
// an extension in comments. It reports whether there is such a source.
func (s *submission) annotate(languages map[string]build.Language, results string) bool {
	for _, name := range s.sources(languages) {
		c, known := comments[path.Ext(name)]
		if !known {
			continue
		}
		line := c[0] + "@EXPECTED_RESULTS@: " + results + c[1] + "\n"
		text := string(s.files[name])
		first := ""
		if strings.HasPrefix(text, "#!") { // this line must stay the first one
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
