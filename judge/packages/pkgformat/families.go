package pkgformat

import (
	"os"
	"path/filepath"
	"slices"
)

// A family is a kind of packages with one loader.
type family struct {
	Family
	empty string // the hint for a package without cases; "" if read has an error of its own for that
	// is reports whether the folder of p, whose entries are list, is such a package.
	is   func(p *Package, list listing) (bool, error)
	read func(p *Package) error
}

// Family describes a kind of packages that [Open] reads.
type Family struct {
	Formats []string // the values of [Package.Format] in this family
	Origin  string   // who uses such packages
	Signs   string   // the content by which a package is recognised
	Lacks   string   // what the family has and judge does not read; "" for nothing
}

// Families returns all kinds of packages that [Open] reads, in the order in which it tries them.
func Families() (list []Family) {
	for _, f := range families() {
		list = append(list, f.Family)
	}
	return list
}

// families lists the families, the most distinctive first. The last one takes every folder.
func families() []family {
	return []family{
		{
			Family: Family{
				Formats: []string{DMOJ}, Origin: "DMOJ", Signs: "init.yml without problem.yaml",
				Lacks: "custom judges that start submissions themselves or judge those that fail, keys in Python",
			},
			empty: "list them under test_cases in " + initFile,
			is: func(_ *Package, list listing) (bool, error) {
				return list.file(initFile) && !list.file(metadataFile), nil
			},
			read: (*Package).readDMOJ,
		},
		{
			Family: Family{
				Formats: []string{Rbx}, Origin: "rbx, robox.io", Signs: rbxFile,
				Lacks: "profiles in .limits/, outputValidators, checkers for BOCA, Python in vars",
			},
			empty: "list them, or globs that match files, under testcases in " + rbxFile,
			is:    func(_ *Package, list listing) (bool, error) { return list.file(rbxFile), nil },
			read:  (*Package).readRbx,
		},
		{
			Family: Family{
				Formats: []string{TPS}, Origin: "TPS, the tool of the IOI", Signs: "problem.json and gen/data",
				Lacks: "several processes, the type TwoSteps, validators of single subtasks",
			},
			empty: "list them in " + tpsData + " after @subtask NAME",
			is: func(p *Package, list listing) (bool, error) {
				file, _, err := p.files.kind(tpsData)
				return file && list.file(tpsProblem), err
			},
			read: (*Package).readTPS,
		},
		{
			Family: Family{
				Formats: []string{Rime}, Origin: "Rime and rime-plus", Signs: "PROBLEM beside folders with SOLUTION or TESTSET",
				Lacks: "Python other than calls with literals, reactive programs, mergers, merged tests, scoring judges",
			},
			empty: "add *.in beside TESTSET, each with *.diff, or a generator in TESTSET",
			is:    (*Package).isRime,
			read:  (*Package).readRime,
		},
		{
			Family: Family{
				Formats: []string{Pisek}, Origin: "pisek, the tool of Kasiopea", Signs: "config with [task] and [tests]",
				Lacks: "limits of single solutions, judges that are not in C, C++ or Python",
			},
			empty: "add inputs that in_globs of [test01] matches, or in_gen in [tests]",
			is:    isPisek, read: (*Package).readPisek,
		},
		{
			Family: Family{
				Formats: []string{CMS}, Origin: "CMS, task-maker, the Italian olympiads",
				Signs: "task.yaml or task.yaml.orig and input/, gen/ or sol/, without problem.yaml",
				Lacks: "several processes, controllers, BatchAndOutput, GroupThreshold, graders except in C, C++ and Pascal",
			},
			is: isCMS, read: (*Package).readCMS,
		},
		{
			Family: Family{
				Formats: []string{Sinol}, Origin: "SIO2, sinol-make",
				Signs: "prog/ and config.yml or in/, without problem.yaml",
				Lacks: "interactors of several processes, points that depend on times",
			},
			empty: "add in/abc1a.in with out/abc1a.out if the task is called abc, or prog/abcingen.cpp, which makes inputs",
			is:    isSinol, read: (*Package).readSinol,
		},
		{
			Family: Family{
				Formats: []string{Legacy, Draft, Latest}, Origin: "ICPC, Kattis, DOMjudge, BAPCtools",
				Signs: "problem.yaml, domjudge-problem.ini or data/", Lacks: "submit-answer problems",
			},
			empty: "add data/secret/*.in, each with its answer *.ans",
			is: func(_ *Package, list listing) (bool, error) {
				return list.file(metadataFile, iniFile) || list.folder("data"), nil
			},
			read: (*Package).readKattis,
		},
		{
			Family: Family{
				Formats: []string{Polygon}, Origin: "Codeforces' Polygon",
				Signs: "problem.xml",
			},
			empty: "add tests/01 with tests/01.a, or a command for each test in " + polygonFile,
			is:    func(_ *Package, list listing) (bool, error) { return list.file(polygonFile), nil },
			read:  (*Package).readPolygon,
		},
		{
			Family: Family{
				Formats: []string{Library}, Origin: "Library Checker", Signs: "info.toml and gen/",
			},
			empty: "list generators as [[tests]] in " + libraryFile,
			is: func(_ *Package, list listing) (bool, error) {
				return list.file(libraryFile) && list.folder("gen"), nil
			},
			read: (*Package).readLibrary,
		},
		{
			Family: Family{
				Formats: []string{CPH}, Origin: "Competitive Programming Helper", Signs: ".cph/ with a file *.prob, or that file",
				Lacks: "interactive problems",
			},
			is: isCPH, read: (*Package).readCPH,
		},
		{
			Family: Family{
				Formats: []string{Polygon}, Origin: "Codeforces' Polygon", Signs: "tests/01 with tests/01.a",
			},
			empty: "add tests/01 with tests/01.a",
			is: func(p *Package, list listing) (bool, error) {
				if !list.folder("tests") {
					return false, nil
				}
				return p.hasNumbered()
			},
			read: (*Package).readNumbered,
		},
		{
			Family: Family{
				Formats: []string{Pairs}, Origin: "anybody",
				Signs: "x.in with x.ans or x.out anywhere, or a similar pair",
			},
			empty: "a package needs data/secret/*.in, tests/01 or *.in, each with its answer",
			is:    func(*Package, listing) (bool, error) { return true, nil },
			read:  (*Package).readPairs,
		},
	}
}

// trait has what distinguishes the packages of a format after they were read. Each format of a family has
// a row in traits, without zero values.
type trait struct {
	main    string // the file or folder to blame for wrong points
	rule    scoreRule
	compare comparing
}

// A scoreRule says how the points of a group are computed, unless the groups have scores of their own.
type scoreRule uint8

const (
	legacyRule  scoreRule = iota + 1 // as in the legacy format of Kattis
	latestRule                       // as in its format 2025-09
	polygonRule                      // cases have points
)

// A comparing says how outputs are compared without a validator.
type comparing uint8

const (
	compareFlags  comparing = iota + 1 // by the flags of Kattis' validators
	compareTokens                      // by words
	compareBytes
	compareAsSaid // as [Package].Compare says
)

var traits = map[string]trait{
	DMOJ:    {initFile, polygonRule, compareAsSaid},
	Rbx:     {rbxFile, polygonRule, compareAsSaid},
	TPS:     {tpsSubtasks, polygonRule, compareTokens},
	Rime:    {".", polygonRule, compareAsSaid},
	Pisek:   {pisekFile, latestRule, compareAsSaid},
	CMS:     {cmsFile, latestRule, compareTokens},
	Sinol:   {sinolFile, latestRule, compareTokens},
	Legacy:  {"data", legacyRule, compareFlags},
	Draft:   {"data", latestRule, compareFlags},
	Latest:  {"data", latestRule, compareFlags},
	Polygon: {polygonFile, polygonRule, compareTokens},
	Library: {"data", legacyRule, compareTokens},
	CPH:     {"data", legacyRule, compareTokens},
	Pairs:   {"data", legacyRule, compareBytes},
}

// Detect returns the first format of the family to which the package in a folder belongs, "kattis" for
// the formats of Kattis; "" if nothing there is distinctive of a family. It looks at the folder alone,
// not at folders that wrap a package. A .prob file is a package, too.
func Detect(folder string) (format string, err error) {
	if filepath.Ext(folder) == cphEnding {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return CPH, err
		}
	}
	p := newPackage(folder, folder)
	if p.files, err = newTree(folder, folder, ""); err != nil {
		return "", err
	}
	defer p.Close()
	p.files.show = p.Show
	entries, err := p.listSkipping(".")
	if err != nil {
		return "", err
	}
	list := listing(entries)
	known := families()
	for _, f := range known[:len(known)-1] {
		is, err := f.is(p, list)
		switch {
		case err != nil:
			return "", err
		case !is:
		case slices.Contains(f.Formats, Legacy):
			if list.file(metadataFile, iniFile) { // any folder may hold data/
				return string(Kattis), nil
			}
		default:
			return f.Formats[0], nil
		}
	}
	return "", nil
}

// listing holds the entries of a folder.
type listing []entry

// file reports whether one of the names is a file.
func (l listing) file(names ...string) bool { return l.has(false, names) }

// folder reports whether one of the names is a folder.
func (l listing) folder(names ...string) bool { return l.has(true, names) }

func (l listing) has(dir bool, names []string) bool {
	return slices.ContainsFunc(l, func(e entry) bool { return e.dir == dir && slices.Contains(names, e.name) })
}

// Is reports whether a folder looks like a package of a Kattis format, or has Polygon's problem.xml,
// rbx' problem.rbx.yml, DMOJ's init.yml, CMS' task.yaml or SIO2's prog/.
// Plain pairs of files do not count, because any folder could hold them.
func Is(folder string) bool {
	for _, name := range []string{metadataFile, iniFile, polygonFile, rbxFile, initFile, cmsFile, "prog", "data"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}
