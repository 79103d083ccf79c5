package draft

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/tree"
)

// Step is one run of a program of the package that makes some of its files. It may read what steps
// of earlier calls of [Draft.Make] made.
type Step struct {
	Program string // path of the program; an example submission is built as submissions are
	// Interactor is the path of a testlib interactor that exchanges messages with the program; "" for
	// none. It gets the input and must accept; what it writes into its output file becomes Stdout.
	Interactor string
	Args       []string
	Input      string            // path of the file on standard input; "" for an empty input
	Files      map[string]string // paths of files of the package, by their slash paths where the program starts
	// Paths in the package of what the step makes; "" for an output that is dropped.
	Stdout, Stderr string
	Left           map[string]string // files that the program leaves where it started: paths in the package by their slash paths there
	LeftIn         string            // folder in the package for all other files that it leaves; "" if they are dropped
	LeftFrom       string            // folder, where it starts, of the files for LeftIn; "" for all
	CPU            time.Duration     // limits, if they are not 0, instead of the usual ones
	Memory         limits.Bytes
	From           string // the place that asks for this step, for messages, such as "problem.xml: test 3"
}

// Maker runs the programs of packages that make their test data.
type Maker interface {
	// Make runs the steps, in any order and several at a time, and returns the files that they made,
	// by their paths in the package. They can be opened and read until the Maker is closed. If a
	// program fails, the error is a [*yamlstrict.Error].
	Make(ctx context.Context, p *Draft, steps []Step) (map[string]tree.MadeFile, error)
}

// Make runs steps and adds the files that they make to the package, where [Draft.Content] finds
// them. It must be called by loaders only. No step may make a file that exists.
func (p *Draft) Make(steps []Step) error {
	if len(steps) == 0 {
		return nil
	}
	taken := map[string]bool{}
	for i := range steps {
		for _, rel := range steps[i].makes() {
			file, dir, err := p.Kind(rel)
			switch {
			case !fs.ValidPath(rel):
				return p.Tree.Errorf(steps[i].Program, 0, "", "%s: makes %s, which is no path in the package", steps[i].From, quote.Name(rel))
			case err != nil:
				return err
			case file || dir || taken[rel]:
				return p.Tree.Errorf(rel, 0, "", "%s: would be made, but exists already", steps[i].From)
			}
			taken[rel] = true
		}
	}
	if p.maker == nil {
		return p.Tree.Errorf(".", 0, "use a command that can run programs, such as judge verify", "its test data must be made by its own programs")
	}
	p.FilesHint = p.filesHint()
	made, err := p.maker(steps)
	if err != nil {
		return err
	}
	for rel, f := range made {
		if _, exists := p.MadeFiles[rel]; exists {
			return p.Tree.Errorf(rel, 0, "", "made twice")
		}
		p.MadeFiles[rel] = f
	}
	return nil
}

// makes returns the paths of the files that the step is known to make.
func (s *Step) makes() (list []string) {
	for _, rel := range []string{s.Stdout, s.Stderr} {
		if rel != "" {
			list = append(list, rel)
		}
	}
	for _, name := range SortedKeys(s.Left) {
		list = append(list, s.Left[name])
	}
	return list
}

// UseFile sets a file that submissions use instead of standard input or output. The names stdin and
// stdout stand for these.
func (p *Draft) UseFile(rel string, line int, name string, file *string) error {
	switch {
	case name == "" || name == "stdin" || name == "stdout":
		return nil
	case !fs.ValidPath(name) || strings.Contains(name, "/"):
		return p.Tree.Errorf(rel, line, "write a name without folders", "%s is no name of a file for input or output", quote.Name(name))
	}
	*file = name
	return nil
}

// filesHint returns [problem.Problem].FilesHint.
func (p *Draft) filesHint() string {
	var does []string
	if p.InFile != "" {
		does = append(does, "reads "+p.InFile)
	}
	if p.OutFile != "" {
		does = append(does, "writes "+p.OutFile)
	}
	if does == nil {
		return ""
	}
	return fmt.Sprintf("a submission %s: for standard input and output, %s", strings.Join(does, " and "), p.FilesKeys)
}

// AnswerStep returns the step that makes the answer to a case: a run of a submission on its input.
func (p *Draft) AnswerStep(program string, c *Case, from string) Step {
	s := Step{Program: program, Input: c.Input, Stdout: c.Answer, From: from}
	if p.AnswersTalk {
		s.Interactor = p.Validation.Interactor
	}
	if p.InFile != "" {
		s.Input, s.Files = "", map[string]string{p.InFile: c.Input}
	}
	if p.OutFile != "" {
		s.Stdout, s.Left = "", map[string]string{p.OutFile: c.Answer}
	}
	return s
}

// Made returns the paths of the files that programs of the package made, sorted.
func (p *Draft) Made() []string { return SortedKeys(p.MadeFiles) }

// MadeSum returns a hash of all files that programs of the package made.
func (p *Draft) MadeSum() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, rel := range p.Made() {
		f := p.MadeFiles[rel]
		h.Write(append([]byte(rel+"\x00"), f.Sum[:]...))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Kind is like [tree.Tree.Kind], but knows the files that were made, too.
func (p *Draft) Kind(rel string) (file, dir bool, err error) {
	if _, made := p.MadeFiles[rel]; made {
		return true, false, nil
	}
	return p.Tree.Kind(rel)
}

// MakeAnswers makes the answers that neither the package holds nor a step has made: they are the
// output of model, the path of the model solution. If it is "", lacking returns the error for the
// first such case. Then it reads the sizes of the files of all cases.
func (p *Draft) MakeAnswers(model string, lacking func(c *Case) error) error {
	var steps []Step
	done := map[string]bool{}
	for _, c := range p.Cases {
		if c.Answer == "" { // an interactor judges
			continue
		}
		if there, _, err := p.Kind(c.Answer); err != nil {
			return err
		} else if there || done[c.Answer] {
			continue
		}
		done[c.Answer] = true
		if model == "" {
			return lacking(c)
		}
		steps = append(steps, p.AnswerStep(model, c, c.Name))
	}
	if err := p.Make(steps); err != nil {
		return err
	}
	return p.Measure()
}

// Measure sets the sizes of the files of all cases.
func (p *Draft) Measure() error {
	for _, c := range p.Cases {
		if err := p.Sizes(c); err != nil {
			return err
		}
	}
	return nil
}

// ModelSolution returns the path of the submission that is the model solution; "" if none is.
func (p *Draft) ModelSolution() string {
	for _, s := range p.Submissions {
		if s.Model {
			return s.Path
		}
	}
	return ""
}

// Joined is a file to make of the contents of others, one after the other. All are paths in the
// package.
type Joined struct {
	Rel string
	Of  []string
}

// Join adds files to the package that others make up, which the package holds or a step has made.
func (p *Draft) Join(list []Joined) error {
	for _, j := range list {
		open := func() (content.Content, error) {
			var all []byte
			for _, rel := range j.Of {
				part, err := p.Bytes(rel)
				if err != nil {
					return content.Content{}, err
				}
				all = append(all, part...)
			}
			return content.Of(all), nil
		}
		whole, err := open()
		if err != nil {
			return err
		}
		data, _ := whole.Held()
		p.MadeFiles[j.Rel] = tree.MadeFile{Open: open, Size: whole.Size(), Sum: sha256.Sum256(data)}
		p.Written++
	}
	return nil
}

// Hold adds a file with that text to the package, as if the package held it, unless it has done so.
func (p *Draft) Hold(rel string, text []byte) {
	if _, known := p.MadeFiles[rel]; !known {
		p.MadeFiles[rel] = tree.MadeOf(text)
		p.Written++
	}
}
