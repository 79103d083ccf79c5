package kattis

import (
	"errors"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// polygonSet is a testset of problem.xml.
type polygonSet struct {
	Name    string `xml:"name,attr"`
	Time    string `xml:"time-limit"`   // ms
	Memory  string `xml:"memory-limit"` // bytes
	Count   int    `xml:"test-count"`
	Inputs  string `xml:"input-path-pattern"`
	Answers string `xml:"answer-path-pattern"`
	Tests   []struct {
		Sample bool   `xml:"sample,attr"`
		Group  string `xml:"group,attr"`
		Points string `xml:"points,attr"`
	} `xml:"tests>test"`
	Groups []polygonGroup `xml:"groups>group"`
}

type polygonGroup struct {
	Name         string `xml:"name,attr"`
	Policy       string `xml:"points-policy,attr"`
	Dependencies []struct {
		Group string `xml:"group,attr"`
	} `xml:"dependencies>dependency"`
}

var numberVerb = regexp.MustCompile(`%(0?)([0-9]?)d`)

// numbered puts a number into a pattern such as tests/%02d.
func numbered(pattern string, n int) string {
	return numberVerb.ReplaceAllStringFunc(pattern, func(verb string) string {
		m := numberVerb.FindStringSubmatch(verb)
		text := strconv.Itoa(n)
		if width, _ := strconv.Atoi(m[2]); m[1] == "0" && len(text) < width {
			text = strings.Repeat("0", width-len(text)) + text
		}
		return text
	})
}

// polygonTests adds the tests of a set. A test that is of no group is in the group
// sample if the statement shows it, and otherwise in tests. Groups are judged in the
// order of their first tests if there are points, and else do not matter to it.
func (p *Package) polygonTests(set polygonSet) error {
	groups := map[string]*Group{}
	count := max(set.Count, len(set.Tests))
	for _, pattern := range []string{set.Inputs, set.Answers} {
		if count > 1 && !numberVerb.MatchString(pattern) || count > maxEntries {
			return p.files.errorf(polygonFile, 0, "", "%d tests, and their files are %s", count, show(pattern))
		}
	}
	for n := 1; n <= count; n++ {
		input := path.Clean(numbered(set.Inputs, n))
		answer := path.Clean(numbered(set.Answers, n))
		c := &Case{Group: "tests", Input: input, Answer: answer}
		if n <= len(set.Tests) {
			if err := p.polygonTest(c, set, n); err != nil {
				return err
			}
		}
		c.Name = c.Group + "/" + path.Base(input)
		if err := p.sizes(c); err != nil {
			return err
		}
		if groups[c.Group] == nil {
			groups[c.Group] = &Group{Name: c.Group, Settings: Settings{Aggregation: "sum"}}
			p.Data.Groups = append(p.Data.Groups, groups[c.Group])
		}
		groups[c.Group].Cases = append(groups[c.Group].Cases, c)
		p.Cases = append(p.Cases, c)
	}
	if err := p.polygonGroups(set.Groups, groups); err != nil {
		return err
	}
	if p.Scoring { // what is added up together is judged together
		p.Cases = nil
		for _, g := range p.Data.Groups {
			p.Cases = append(p.Cases, g.Cases...)
		}
	}
	return nil
}

// polygonTest reads the group and the points of the n-th test, from 1.
func (p *Package) polygonTest(c *Case, set polygonSet, n int) error {
	t := set.Tests[n-1]
	switch {
	case t.Group != "":
		if c.Group = t.Group; !fs.ValidPath(c.Group) || c.Group == "." || strings.Contains(c.Group, "/") {
			return p.files.errorf(polygonFile, 0, "", "test %d is of a group that cannot be called so: %s", n, show(c.Group))
		}
	case t.Sample:
		c.Group = "sample"
	}
	if t.Points == "" {
		return nil
	}
	points, err := strconv.ParseFloat(strings.TrimSpace(t.Points), 64)
	if err != nil || !(points >= 0) || math.IsInf(points, 1) {
		return p.files.errorf(polygonFile, 0, "", "the points of test %d are not a number from 0 on: %s", n, show(t.Points))
	}
	c.Points = points
	p.Scoring = p.Scoring || points > 0
	return nil
}

// polygonGroups reads how groups count.
func (p *Package) polygonGroups(list []polygonGroup, groups map[string]*Group) error {
	for _, from := range list {
		g := groups[from.Name]
		if g == nil {
			p.note(polygonFile, 0, "a group without tests: %s", show(from.Name))
			continue
		}
		switch from.Policy {
		case "complete-group":
			g.Settings.Aggregation = "pass-fail"
		case "each-test", "":
		default:
			return p.files.errorf(polygonFile, 0, "known are complete-group and each-test", "unknown points-policy of group %s: %s", show(from.Name), show(from.Policy))
		}
		for _, d := range from.Dependencies {
			g.Settings.RequirePass = append(g.Settings.RequirePass, d.Group)
		}
	}
	return nil
}

// sizes finds the files of a case.
func (p *Package) sizes(c *Case) error {
	for _, f := range []struct {
		rel  string
		size *int64
	}{{c.Input, &c.InputSize}, {c.Answer, &c.AnswerSize}} {
		info, err := p.files.root.Stat(f.rel)
		if errors.Is(err, fs.ErrNotExist) {
			return p.files.errorf(f.rel, 0, "download the full package, which has the tests that are generated", "no such file")
		} else if err != nil {
			return p.files.fail(f.rel, err)
		}
		if !info.Mode().IsRegular() {
			return p.files.errorf(f.rel, 0, "", "not a regular file")
		}
		*f.size = info.Size()
	}
	return nil
}
