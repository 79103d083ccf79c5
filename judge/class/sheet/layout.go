package sheet

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
)

// handIn has files that a student handed in together, and what the platform recorded with them.
type handIn struct {
	student string
	id      string // by which the platform knows the student; "" if it says none
	problem string // "" if the platform does not say
	late    bool
	lateAre map[string]bool // of files that were handed in one by one: the names of those that were late
	attempt string
	time    time.Time
	items   []item // with the names that the student gave them
}

// layout is a form in which a class is handed over.
type layout struct {
	name Layout
	of   string // what has this form
	last bool   // whether it has only the last of several attempts
	sure bool   // whether each name has the student, so that no folder of a student looks like it
	// read returns what it recognizes among the items of a folder: nothing if the form is another.
	read func(r *reader, items []item) (hands []handIn, rest []item, err error)
}

// layouts are tried in this order.
var layouts = []layout{
	// https://docs.moodle.org: "Download all submissions", in folders or not; mod/assign/classes/downloader.php
	{"moodle", "a download of Moodle", true, true, named(moodle)},
	// https://community.canvaslms.com: "How do I download all student submissions"; lib/content_zipper.rb
	{"canvas", "a download of Canvas", true, true, canvas},
	// https://help.gradescope.com: "Export Submissions"; its submission_metadata.yml
	{"gradescope", "an export of Gradescope", true, true, gradescope},
	// https://help.blackboard.com: "Assignment File Download" of the Grade Center
	{"blackboard", "a download of Blackboard", false, true, blackboard},
	// https://docs.github.com/education: gh classroom clone student-repos
	{"github-classroom", "repositories of GitHub Classroom", true, false, classroom},
	// https://ccs-specs.icpc.io/contest_package: submissions.json and submissions/ID/files.zip, as DOMjudge has them
	{"ccs", "a contest package", false, false, contestPackage},
	// https://support.kattis.com: folders of submissions, called by their numbers, and a table of these
	{"kattis", "submissions of Kattis", false, false, kattis},
	{"folders", "folders", false, false, func(_ *reader, items []item) ([]handIn, []item, error) { return nil, items, nil }},
}

// Layout is the name of a form in which a class is handed over.
type Layout string

// Layouts returns the layouts that [Options] may name.
func Layouts() (names []Layout) {
	for _, l := range layouts {
		names = append(names, l.name)
	}
	return names
}

// class reads a folder with what a class has handed in. An archive that has only a folder with the name outer, its own,
// is that folder.
func (r *reader) class(dir, outer string) error {
	if r.pattern != nil {
		items, links, err := r.items(dir)
		if err != nil {
			return err
		}
		return r.byPattern(dir, items, links)
	}
	hands, items, links, err := r.download(dir, outer)
	if err != nil {
		return err
	}
	if len(hands) == 0 {
		if items, err = r.assignments(items); err != nil {
			return err
		}
	} else {
		if err := r.hand(hands); err != nil {
			return err
		}
		items = slices.DeleteFunc(items, func(it item) bool {
			document := !it.dir && r.rank(it.path) > 0
			if document {
				r.note(it.path, "is no file of a student")
			}
			return document
		})
	}
	return r.people(items, links)
}

// assignments reads folders that are downloads of assignments, one of them of several students, and returns the other
// items. A folder whose name has that of one problem as a word is for this. A student's folder may hold a repository or
// a table, so without --layout it is one of the layouts in which each name has the student.
func (r *reader) assignments(items []item) (rest []item, err error) {
	most := 0
	downloads := map[string]bool{}
	for _, it := range items {
		if it.dir && r.named(it.name) == "" {
			students, err := r.inDownload(it.path)
			if err != nil {
				return nil, err
			}
			downloads[it.path], most = students > 0, max(most, students)
		}
	}
	if most < 2 {
		return items, nil
	}
	for _, it := range items {
		if !downloads[it.path] {
			rest = append(rest, it)
			continue
		}
		problems := slices.DeleteFunc(slices.Clone(r.problems), func(p string) bool {
			return !slices.ContainsFunc(strings.FieldsFunc(it.name, func(c rune) bool { return strings.ContainsRune(" _-.", c) }), func(word string) bool { return strings.EqualFold(word, p) })
		})
		if len(problems) != 1 {
			problems = r.problems
		}
		part := r.part(problems)
		part.certain = true
		hands, inside, links, err := part.download(it.path, it.name)
		if err == nil {
			err = part.hand(hands)
		}
		if err != nil {
			return nil, err
		}
		for _, one := range inside {
			part.note(one.path, "is no file of a student")
		}
		for _, path := range links {
			part.note(path, aLink)
		}
		r.takeDownload(part)
	}
	return rest, nil
}

// inDownload returns the number of students in a download, or in the only folder of a folder; 0 if it is none. It
// extracts nothing.
func (r *reader) inDownload(dir string) (students int, err error) {
	part := r.part(r.problems)
	part.certain = true
	for range 3 {
		var entries []fs.DirEntry
		if entries, _, err = visible(dir); err != nil {
			return 0, err
		}
		var items []item
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			items = append(items, item{path, path, e.Name(), e.IsDir()})
		}
		var hands []handIn
		var rest []item
		hands, rest, err = part.recognize(dir, items)
		if slices.ContainsFunc(rest, func(it item) bool { return !it.dir && r.rank(it.path) == 0 }) { // a program beside data
			return 0, err
		}
		for _, h := range hands {
			part.student(first(h.student, h.id) + h.id)
		}
		if len(hands) > 0 || err != nil || len(items) != 1 || !items[0].dir {
			break
		}
		dir = items[0].path
	}
	return len(part.students), err
}

// download returns what the layout that is asked for, or any, finds in a folder, or up to two folders deeper where each
// is alone, such as an export in an archive, and what is beside that. A folder that has only one with the name outer is that one.
func (r *reader) download(dir, outer string) (hands []handIn, items []item, links []string, err error) {
	items, links, err = r.items(dir)
	items = r.setAside(items) // as what macOS packs beside the only folder
	inner, innerLinks := items, links
	for depth := 0; err == nil; depth++ {
		var rest []item
		if hands, rest, err = r.recognize(dir, inner); err != nil || len(hands) > 0 {
			return hands, rest, innerLinks, err
		}
		if depth == 2 || len(inner) != 1 || len(innerLinks) > 0 || !inner[0].dir {
			break
		}
		same := depth == 0 && strings.EqualFold(inner[0].name, outer)
		if !same && r.named(inner[0].name) != "" {
			break
		}
		dir = inner[0].path
		if inner, innerLinks, err = r.items(dir); same {
			items, links = inner, innerLinks
		}
	}
	return nil, items, links, err
}

// recognize returns what the layout that is asked for, or any, finds in a folder.
func (r *reader) recognize(dir string, items []item) (hands []handIn, rest []item, err error) {
	for _, l := range layouts {
		if r.layout != "" && r.layout != l.name || r.layout == "" && r.certain && !l.sure {
			continue
		}
		hands, rest, err = l.read(r, slices.Clone(items))
		if err != nil {
			return nil, nil, err
		}
		if len(hands) > 0 {
			r.recognized = true
			if r.layout == "" {
				r.note(dir, "read as "+l.of+" (hint: --layout folders reads folders of students)")
			}
			if l.last && (r.attempts == Best || r.attempts == All) {
				r.note(dir, fmt.Sprintf("%s has only last attempts, so --attempt %s finds no others", l.of, r.attempts))
			}
			return hands, rest, nil
		}
	}
	return nil, items, nil
}

// hand adds what students have handed in.
func (r *reader) hand(hands []handIn) error {
	for i, h := range hands {
		hands[i].student = first(h.student, h.id, "?")
	}
	r.distinguish(hands)
	type key struct {
		student, problem, attempt string
		time                      time.Time
	}
	var order []*handIn
	together := map[key]*handIn{}
	for _, h := range hands {
		k := key{r.student(h.student), h.problem, h.attempt, h.time}
		r.identify(k.student, h.id)
		old := together[k]
		same := func(it item) bool {
			return slices.ContainsFunc(h.items, func(own item) bool { return own.name == it.name })
		}
		if old == nil || slices.ContainsFunc(old.items, same) { // files of one name are attempts without an order
			together[k] = &handIn{student: k.student, problem: h.problem, attempt: h.attempt, time: h.time}
			order = append(order, together[k])
		}
		for _, it := range h.items {
			if together[k].lateAre == nil {
				together[k].lateAre = map[string]bool{}
			}
			together[k].lateAre[it.name] = h.late
		}
		together[k].items = append(together[k].items, h.items...)
	}
	for _, h := range order {
		if err := r.one(h); err != nil {
			return err
		}
	}
	return nil
}

// distinguish appends their ids to the names of students who have the same one.
func (r *reader) distinguish(hands []handIn) {
	first, several := map[string]string{}, map[string]bool{}
	for _, h := range hands {
		if id, known := first[folded(h.student)]; known && id != h.id {
			several[folded(h.student)] = true
		}
		first[folded(h.student)] = h.id
	}
	for i := range hands {
		if h := &hands[i]; several[folded(h.student)] && h.id != "" {
			h.student += " " + h.id
		}
	}
}

// identify records the id of a student. One that differs between the downloads of several problems is none.
func (r *reader) identify(student, id string) {
	if known, is := r.ids[student]; is && known != id {
		id = ""
	}
	r.ids[student] = id
}

// one adds what a student has handed in at one time.
func (r *reader) one(h *handIn) error {
	problems := r.problems
	if h.problem != "" {
		if problems = r.like(h.problem); len(problems) == 0 {
			for _, it := range h.items {
				r.note(it.path, "is for "+h.problem+", which is none of the problems "+list(r.problems))
			}
			return nil
		}
	}
	if len(h.items) == 0 {
		return nil
	}
	dir, err := r.assemble(h.items)
	if err != nil {
		return err
	}
	part := r.part(problems)
	if err := part.studentFolder(dir, h.student); err != nil {
		return err
	}
	for _, entries := range part.found {
		for i := range entries {
			entries[i].Late, entries[i].Attempt, entries[i].Time = h.wasLate(dir, entries[i].Path), h.attempt, h.time
		}
	}
	r.take(part)
	return nil
}

// wasLate reports whether the program at a path in the folder of a hand-in was late, as one of its files was.
func (h *handIn) wasLate(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	if late, known := h.lateAre[top]; err == nil && known {
		return late
	}
	for _, late := range h.lateAre {
		if late {
			return true
		}
	}
	return false
}

// assemble returns a folder with the items by the names that the student gave them.
func (r *reader) assemble(items []item) (string, error) {
	if len(items) == 1 && items[0].dir {
		return items[0].path, nil
	}
	common := r.show(items[0].path)
	for _, it := range items {
		for !strings.HasPrefix(r.show(it.path), common) {
			common = common[:len(common)-1]
		}
	}
	if len(items) > 1 {
		common = strings.ToValidUTF8(common, "") + "*"
	}
	dir, err := r.folder(common)
	for _, it := range items {
		to := filepath.Join(dir, it.name)
		r.called(to, it.path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil && it.dir {
			err = r.copyFolder(it.path, to)
		} else if err == nil {
			err = copyFile(it.path, to)
		}
	}
	return dir, err
}

// byPattern reads files whose paths match --student-pattern.
func (r *reader) byPattern(dir string, items []item, links []string) error {
	var hands []handIn
	group := func(m []int, rel, name string) string {
		if i := r.pattern.SubexpIndex(name); i >= 0 && m[2*i] >= 0 {
			return rel[m[2*i]:m[2*i+1]]
		}
		return ""
	}
	add := func(it item, rel string) {
		m := r.pattern.FindStringSubmatchIndex(rel)
		if m == nil || strings.TrimSpace(group(m, rel, "student")) == "" {
			r.note(it.path, "does not match --student-pattern")
			return
		}
		it.name = filepath.Base(rel)
		if after := rel[m[1]:]; after != "" && m[1] > 0 && strings.Contains("/_- ", rel[m[1]-1:m[1]]) {
			it.name = filepath.FromSlash(after)
		}
		h := handIn{student: group(m, rel, "student"), problem: group(m, rel, "problem"), late: group(m, rel, "late") != "", attempt: group(m, rel, "attempt"), items: []item{it}}
		if text := group(m, rel, "time"); text != "" {
			if h.time = parseTime(text); h.time.IsZero() {
				r.note(it.path, "no time is "+text)
			}
		}
		hands = append(hands, h)
	}
	for _, path := range links {
		r.note(path, aLink)
	}
	for _, it := range items {
		rel, _ := filepath.Rel(dir, it.from)
		if !it.dir {
			add(it, filepath.ToSlash(rel))
			continue
		}
		if err := r.walk(it.path, func(path string) {
			below, _ := filepath.Rel(it.path, path)
			add(item{path: path}, filepath.ToSlash(filepath.Join(rel, below)))
		}); err != nil {
			return err
		}
	}
	return r.hand(hands)
}

// walk calls each with the files in a folder and below that are not hidden, and with the folders that tools made.
func (r *reader) walk(dir string, each func(path string)) error {
	entries, links, err := visible(dir)
	for _, path := range links {
		r.note(path, aLink)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && (e.Name() == modules || build.IsProduct(e.Name(), func(file string) bool { return exists(filepath.Join(dir, file)) })):
			r.note(path, "made by tools")
		case e.IsDir():
			if err := r.walk(path, each); err != nil {
				return err
			}
		default:
			each(path)
		}
	}
	return err
}

// compilePattern returns the expression of --student-pattern.
func compilePattern(text string) (*regexp.Regexp, error) {
	const hint = `named groups give the parts of a path, such as '(?P<student>[^/]+)/(?P<problem>\w+)'`
	wrong := func(msg string) error { return &yamlstrict.Error{File: "--student-pattern", Msg: msg, Hint: hint} }
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, wrong(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	for _, name := range re.SubexpNames() {
		if known := []string{"", "student", "problem", "attempt", "time", "late"}; !slices.Contains(known, name) {
			return nil, wrong("unknown group " + name + " (the groups are " + strings.Join(known[1:], ", ") + ")")
		}
	}
	if re.SubexpIndex("student") < 0 {
		return nil, wrong("no group student")
	}
	return re, nil
}
