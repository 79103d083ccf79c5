package pairs

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// File says beside the files of a plain folder what they do not. Its keys are those of the problems of a repository,
// but for pairs, points and notes.
const File = "tribunal.yaml"

// settings is the content of the file.
type settings struct {
	Place     yamlstrict.Place
	Title     string                 `yaml:"title,word,nonempty" doc:"name of the problem"`
	Source    string                 `yaml:"source,word,nonempty" doc:"where the problem comes from"`
	Limits    limitsDocument         `yaml:"limits" doc:"what one run may use"`
	Compare   way                    `yaml:"compare" doc:"how an output is compared with the expected one: exact, lines, tokens, or float:1e-6"`
	Tolerance *repo.Tolerance        `yaml:"tolerance" doc:"largest difference between numbers that count as equal; only with compare: float"`
	FoldCase  bool                   `yaml:"fold_case" doc:"ignore the case of the letters A to Z; with compare: tokens or float"`
	Spaces    bool                   `yaml:"spaces" doc:"white space must match, too; with compare: tokens or float"`
	Pairs     string                 `yaml:"pairs,word,nonempty" doc:"names of inputs and answers, such as {}.in:{}.gold; by default recognized"`
	Samples   []string               `yaml:"samples,word,nonempty" doc:"cases to show with the statement, as group/name"`
	Points    *points.Share          `yaml:"points" doc:"cases or groups, for the part of them that pass; a number for all cases; or both, as in cases:10"`
	Scoring   *scoring               `yaml:"scoring" doc:"points of single groups"`
	Feedback  string                 `yaml:"feedback" enum:"none,verdict,samples,first,all" doc:"what students and submitters see"`
	Texts     []text                 `yaml:"statements,nonempty" doc:"files with the statement"`
	Notes     yamlstrict.Map[string] `yaml:"notes,nonempty" doc:"what a case is for, by its name"`
}

type limitsDocument struct {
	CPU    time.Duration `yaml:"cpu" min:"1ms" max:"24h" doc:"CPU time of the whole process tree, such as 1s"`
	Wall   time.Duration `yaml:"wall" min:"1ms" max:"24h" doc:"time from start to end; by default derived from cpu"`
	Memory limits.Bytes  `yaml:"memory" min:"1MiB" doc:"peak memory of the whole process tree, such as 64MiB"`
	Output limits.Bytes  `yaml:"output" min:"1B" doc:"size of standard output"`
}

type scoring struct {
	Groups []scored `yaml:"groups,required,nonempty" doc:"the groups, with their points; sample need not be among them"`
}

type scored struct {
	Place       yamlstrict.Place
	Name        string   `yaml:"name,required,word,nonempty" doc:"name of the group: its folder, or tests"`
	Max         float64  `yaml:"max_score,required" min:"0" max:"1e6" doc:"its points"`
	Aggregation string   `yaml:"score_aggregation" enum:"pass-fail,sum" doc:"sum: each case has an equal part; by default pass-fail: the points are for all cases together"`
	Requires    []string `yaml:"require_pass,word" doc:"groups before it that must be accepted for this one to get points"`
}

type text struct {
	Place    yamlstrict.Place
	Language string `yaml:"language,word" pattern:"[A-Za-z-]+" doc:"code of its language, such as de; by default en"`
	File     string `yaml:"file,required,word,nonempty" doc:"its path in the folder"`
}

// way is how outputs are compared, as --compare takes it. Float without a tolerance needs the key of that name.
type way struct{ diff.Options }

func (w *way) UnmarshalText(text []byte) (err error) {
	if w.Mode = diff.Float; string(text) != string(diff.Float) {
		w.Options, err = diff.Parse(string(text))
	}
	return err
}

var comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*#.*$`) })

// settings reads the file, if there is one, and sets what does not depend on the cases.
func (p *reader) settings() (*settings, error) {
	if file, _, err := p.Tree.Kind("tribunal.yml"); err == nil && file {
		return nil, p.Tree.Errorf("tribunal.yml", 0, "rename it to "+File, "not read")
	}
	data, err := p.Tree.Read(File, tree.MaxDocument)
	if data == nil || err != nil {
		return &settings{}, err
	}
	if data, err = p.Tree.Text(File, data); err != nil {
		return nil, err
	}
	doc := &settings{}
	if rest := comments().ReplaceAll(data, nil); len(rest) < len(data) && len(bytes.TrimSpace(rest)) == 0 {
		return doc, nil // each key is left out; a file of no bytes may have lost them
	}
	if err := yamlstrict.Decode(p.Show(File), bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'}), doc); err != nil {
		return nil, err
	}
	if p.Title, p.Source, p.Feedback = doc.Title, doc.Source, problem.Feedback(doc.Feedback); p.Title != "" {
		p.Names["en"] = p.Title
	}
	l := doc.Limits
	if p.Limits.Wall = l.Wall; l.CPU > 0 {
		p.Time.Limit, p.Time.From = l.CPU, File
	}
	if l.Memory > 0 {
		p.Limits.Memory = l.Memory
	}
	if l.Output > 0 {
		p.Limits.Output = l.Output
	}
	for _, one := range doc.Texts {
		if file, _, err := p.Tree.Kind(one.File); err != nil || !file {
			return nil, one.Place.Errorf("file", "name it by its path in the folder", "no file %s", one.File)
		}
		if one.Language == "" {
			one.Language = "en"
		}
		p.Statements = append(p.Statements, draft.Statement{Language: one.Language, Path: one.File})
	}
	return doc, doc.compare(p)
}

// compare sets how outputs are compared.
func (d *settings) compare(p *reader) error {
	o := d.Compare.Options
	if d.Place.Has("compare") && len(p.Validation.Programs) > 0 {
		return d.Place.Errorf("compare", "keep one of them", "%s decides which outputs are right", p.Validation.Programs[0])
	}
	o.FoldCase, o.Spaces = d.FoldCase, d.Spaces
	if t := d.Tolerance; t != nil {
		if o.Abs > 0 {
			return d.Place.Errorf("tolerance", "keep one of them", "tolerance with compare: float:%v", o.Abs)
		}
		o.Abs, o.Rel = t.Abs, t.Rel
	}
	if p.Compare = o; o.Mode == diff.Float && o.Abs > 0 && d.Tolerance == nil {
		return nil // as in float:1e-6
	}
	return repo.CheckComparison(d.Place, o, d.Tolerance != nil)
}

// describe sets what refers to cases.
func (d *settings) describe(p *reader) error {
	byName, listed := map[string]*draft.Case{}, map[string]bool{}
	var names []string
	for _, c := range p.Cases {
		names = append(names, c.Name)
		byName[c.Name] = c
	}
	for _, name := range d.Samples {
		switch {
		case byName[name] == nil:
			return d.Place.Errorf("samples", suggest(name, names), "samples: there is no case %s", name)
		case listed[name]:
			return d.Place.Errorf("samples", "", "samples: %s is listed twice", name)
		}
		listed[name] = true
	}
	p.Samples = d.Samples
	for _, note := range d.Notes {
		c := byName[note.Key]
		if c == nil {
			e := d.Place.Errorf("notes", suggest(note.Key, names), "notes: there is no case %s", note.Key)
			e.Line = note.Line
			return e
		}
		c.Description, c.Note = note.Value, strings.Join(strings.Fields(note.Value), " ")
	}
	switch {
	case d.Points != nil && d.Scoring != nil:
		return d.Place.Errorf("scoring", "keep one of them", "both points and scoring")
	case d.Points != nil:
		p.give(d.Points.Over(names))
	case d.Scoring != nil:
		return d.Scoring.give(p)
	}
	return nil
}

// give makes the rules of groups, which have the names of those of the package, those of the package.
func (p *reader) give(root *points.Group) {
	rules := map[string]points.Rule{"": root.Rule}
	for _, g := range root.Groups {
		rules[g.Name] = g.Rule
	}
	if len(root.Groups) == 0 {
		p.Data.Groups, p.Data.Cases = nil, p.Cases
	}
	p.Scoring = true
	p.Points = func(_ *draft.Draft, g *draft.Group, _ int, _ map[*draft.Case]int) (points.Rule, error) {
		return rules[g.Name], nil
	}
}

// give gives the groups of the package their points.
func (s *scoring) give(p *reader) error {
	cases, order := map[string][]int{}, map[string]int{} // by group: its cases, and its place from 1
	var folders []string
	n := 0
	for _, g := range p.Data.Groups {
		for range g.Cases {
			cases[g.Name] = append(cases[g.Name], n)
			n++
		}
		folders = append(folders, g.Name)
		order[g.Name] = len(folders)
	}
	root := &points.Group{Rule: points.Polygon{Hundredths: true}}
	given := map[string]bool{}
	total := 0.0
	for _, g := range s.Groups {
		switch {
		case order[g.Name] == 0:
			return g.Place.Errorf("name", suggest(g.Name, folders), "there is no group %s", g.Name)
		case given[g.Name]:
			return g.Place.Errorf("name", "merge them", "two groups are called %s", g.Name)
		}
		if err := p.Tree.Spend(File, len(g.Requires)*len(g.Requires)); err != nil {
			return err
		}
		for _, name := range g.Requires {
			if at := order[name]; at == 0 || at >= order[g.Name] {
				return g.Place.Errorf("require_pass", suggest(name, folders[:order[g.Name]-1]), "%s is no group before %s", name, g.Name)
			}
		}
		given[g.Name] = true
		total += g.Max
		r := points.AllCases(cases[g.Name], g.Max)
		if g.Aggregation == "sum" {
			r = points.EachCase(cases[g.Name], g.Max)
		}
		r.Requires = g.Requires
		root.Groups = append(root.Groups, &points.Group{Name: g.Name, Rule: r})
	}
	for _, name := range folders {
		switch {
		case given[name]:
		case !draft.IsSample(name):
			return s.Groups[0].Place.Errorf("", fmt.Sprintf("add - {name: %s, max_score: 10}", name), "the cases of %s have no points", name)
		default:
			root.Groups = append(root.Groups, &points.Group{Name: name, Rule: points.EachCase(cases[name], 0)})
		}
	}
	if total == 0 {
		return s.Groups[0].Place.Errorf("max_score", "", "no group has points")
	}
	p.give(root)
	return nil
}

// suggest returns a hint with the name that was meant, or with the first of all.
func suggest(name string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	if near := yamlstrict.Nearest(name, known[:min(len(known), 1000)]); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) > 8 {
		return "they are " + strings.Join(known[:8], ", ") + ", …"
	}
	return "they are " + strings.Join(known, ", ")
}
