package sheet

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/regular"
)

// handed holds the files and folders of a student.
type handed struct {
	called map[string][]string     // by problem: paths of files and folders that are called like it
	links  map[string]string       // by problem: a symbolic link that is called like it
	others []string                // paths of the other files, and of folders that tools made
	tests  []string                // those among others that test a file of the same name
	texts  map[string][]byte       // the beginnings of files, when they were needed
	names  map[string]build.Naming // by source or header: what it names, when it was needed
	code   []string                // the sources and headers among all, when they were needed
	loose  []string                // the elements of code that are among others
	isCode map[string]bool         // code as a set
}

// modules is the name of the folder in which npm puts the programs of others.
const modules = "node_modules"

// look adds what is in dir and below to h.
func (r *reader) look(dir string, h *handed) error {
	entries, links, err := visible(dir)
	if err != nil {
		return err
	}
	for _, path := range links {
		problems := r.like(path)
		for _, p := range problems {
			h.links[p] = path
		}
		if len(problems) == 0 {
			r.note(path, aLink)
		}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch problems := r.like(e.Name()); {
		case len(problems) > 0 && (!e.IsDir() || r.hasSource(path)):
			for _, p := range problems {
				h.called[p] = append(h.called[p], path)
			}
		case e.IsDir() && e.Name() != modules && !build.IsProduct(e.Name(), func(file string) bool { return exists(filepath.Join(dir, file)) }):
			err = r.look(path, h)
		default:
			h.others = append(h.others, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// studentFolder reads a folder with what a student handed in.
func (r *reader) studentFolder(dir, student string) error {
	r.student(student)
	h := &handed{called: map[string][]string{}, links: map[string]string{}, texts: map[string][]byte{}, names: map[string]build.Naming{}}
	if err := r.look(dir, h); err != nil {
		return err
	}
	r.setTestsAside(dir, h)
	h.code, h.loose = slices.DeleteFunc(h.all(), r.isNoCode), slices.DeleteFunc(slices.Clone(h.others), r.isNoCode)
	for _, list := range h.called {
		for _, path := range list {
			if isFolder(path) { // whose files name others
				h.code = append(h.code, slices.DeleteFunc(within(path), r.isNoCode)...)
			}
		}
	}
	h.isCode = map[string]bool{}
	for _, path := range h.code {
		h.isCode[path] = true
	}
	var named []string // files and folders that an entry names
	var reasons strings.Builder
	for _, p := range r.problems {
		path, wrong := r.program(dir, p, h)
		if path == "" {
			continue
		}
		if wrong == "" || path != dir {
			named = append(named, path)
		}
		reasons.WriteString(wrong + "\n")
		r.addWrong(student, p, path, wrong)
	}
	for _, path := range h.all() {
		if !says(reasons.String(), path) && !slices.ContainsFunc(named, func(in string) bool { return path == in || strings.HasPrefix(path, in+string(filepath.Separator)) }) {
			r.note(path, r.none())
		}
	}
	return nil
}

// says reports whether a text names a path.
func says(text, path string) bool {
	for {
		_, after, found := strings.Cut(text, path)
		if !found || after == "" || strings.Contains(",: \n", after[:1]) {
			return found
		}
		text = after
	}
}

// setTestsAside moves files in folders of tests to the others, if a file outside is called like the same problem.
func (r *reader) setTestsAside(dir string, h *handed) {
	for p, called := range h.called {
		inside := func(path string) bool {
			rel, err := filepath.Rel(dir, path)
			return err == nil && build.InAsideFolder(p, filepath.ToSlash(rel))
		}
		tests := slices.DeleteFunc(slices.Clone(called), func(path string) bool { return !inside(path) })
		if len(tests) == 0 || len(r.sources(called)) == len(r.sources(tests)) {
			continue
		}
		h.called[p] = slices.DeleteFunc(called, inside)
		h.others, h.tests = append(h.others, tests...), append(h.tests, tests...)
	}
}

// all returns the paths of all files and folders, sorted.
func (h *handed) all() []string {
	all := slices.Clone(h.others)
	for _, list := range h.called {
		all = append(all, list...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// program returns the file or folder that a student handed in for a problem, and why that cannot be
// judged. The path is "" if nothing was handed in.
func (r *reader) program(dir, problem string, h *handed) (path, wrong string) {
	called := h.called[problem]
	sources := r.sources(called)
	packed := slices.DeleteFunc(append(slices.Clone(called), h.others...), func(path string) bool { return !build.IsArchive(path) })
	if len(sources) == 0 && len(h.code) == 0 && len(packed) > 0 {
		if why := r.broken[packed[0]]; why != "" {
			return packed[0], packed[0] + ": " + why
		}
		return packed[0], "no source, but there is " + list(packed) + " (hint: take the program out of it)"
	}
	if len(sources) == 0 && len(called) == 1 && !build.IsHeader(called[0]) {
		sources = called // of a type that cannot be judged, which its verdict says
	}
	if link := h.links[problem]; link != "" {
		sources = append(sources, link)
	}
	switch {
	case len(sources) > 1:
		return sources[0], "several files: " + strings.Join(sources, " and ")
	case len(sources) == 1 && sources[0] == h.links[problem]:
		return sources[0], aLink // which no other file replaces
	case len(sources) == 1 && len(r.like(sources[0])) > 1:
		return sources[0], forOneOf(sources[0], r.like(sources[0]))
	case len(sources) == 1 && r.project(dir, sources[0]) != "":
		return r.project(dir, sources[0]), ""
	case len(sources) == 1 && isFolder(sources[0]):
		outside := r.needed(sources[0], within(sources[0]), h)
		switch {
		case len(outside) > 0 && len(r.problems) == 1:
			return dir, ""
		case len(outside) > 0:
			return sources[0], fmt.Sprintf("it uses files outside of its folder: %s", list(outside))
		}
		return sources[0], ""
	case len(sources) == 1:
		if r.alone(sources[0], problem, h) {
			return sources[0], ""
		}
		if len(r.problems) == 1 {
			return dir, ""
		}
		root := filepath.Dir(sources[0])
		for _, path := range r.needed(root, within(root), h) {
			for !strings.HasPrefix(path, root+string(filepath.Separator)) {
				root = filepath.Dir(root)
			}
		}
		return root, ""
	case len(r.problems) == 1 && len(called)+len(h.others) > 0:
		return only(dir), ""
	}
	var free []string
	for _, path := range h.others {
		if build.IsArchive(path) || r.source(path) && !r.mentioned(path, h) && !slices.Contains(h.tests, path) {
			free = append(free, path)
		}
	}
	if len(free) > 0 {
		return dir, notCalled(problem, free)
	}
	if called = slices.DeleteFunc(slices.Clone(called), build.IsHeader); len(called) > 0 {
		return called[0], "no source: " + list(called)
	}
	return "", ""
}

// project returns the folder of the project that a program is a part of: that of its Cargo.toml or, for a
// folder, its go.mod. It is "" if there is none above the program.
func (r *reader) project(dir, program string) string {
	manifest := ""
	if files := within(program); strings.HasSuffix(program, ".rs") {
		manifest = "Cargo.toml"
	} else if isFolder(program) {
		for ext, name := range map[string]string{".rs": "Cargo.toml", ".go": "go.mod"} {
			if slices.ContainsFunc(files, func(file string) bool { return filepath.Ext(file) == ext }) {
				manifest = name
			}
		}
	}
	if manifest == "" || isFolder(program) && exists(filepath.Join(program, manifest)) {
		return ""
	}
	for program != dir {
		if program = filepath.Dir(program); exists(filepath.Join(program, manifest)) {
			return program
		}
	}
	return ""
}

// sources returns the paths that are folders or sources.
func (r *reader) sources(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !r.source(path) && !isFolder(path) })
}

// only goes down from dir while a folder has a single entry, and returns where that ends: at a file, or at a folder
// with several entries.
func only(dir string) string {
	for {
		entries, links, err := visible(dir)
		if err != nil || len(entries) != 1 || len(links) > 0 {
			return dir
		}
		if dir = filepath.Join(dir, entries[0].Name()); !entries[0].IsDir() {
			return dir
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// hasSource reports whether a source is in a folder or below.
func (r *reader) hasSource(dir string) bool {
	return slices.ContainsFunc(within(dir), r.source)
}

// within returns the paths of the regular files in a folder and below, as far as they can be read.
func within(dir string) (paths []string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read is left out
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// alone reports whether the program of a source has no other files: there is no other source that is not
// called like another problem, and no file that the student's files mention.
func (r *reader) alone(source, problem string, h *handed) bool {
	if slices.ContainsFunc(h.code, func(path string) bool { return r.names(source, path, h) }) { // perhaps another problem's
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(h.others), h.called[problem]...), func(path string) bool {
		if filepath.Base(path) == modules {
			packages, _, _ := visible(path) // one that cannot be read has none
			return slices.ContainsFunc(packages, func(e fs.DirEntry) bool { return r.mentioned(filepath.Join(path, e.Name()), h) })
		}
		return path != source && (r.source(path) || build.IsHeader(path) || r.mentioned(path, h))
	})
}

// mentioned reports whether another source or header of the student names a file.
func (r *reader) mentioned(path string, h *handed) bool {
	return slices.ContainsFunc(h.code, func(other string) bool { return r.names(other, path, h) })
}

// needed returns the sources and headers outside of a folder that the files in it name, and those that
// these name.
func (r *reader) needed(dir string, files []string, h *handed) (outside []string) {
	files = slices.DeleteFunc(files, r.isNoCode)
	free := slices.DeleteFunc(slices.Clone(h.loose), func(path string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) })
	for i := 0; i < len(files) && len(free) > 0; i++ {
		free = slices.DeleteFunc(free, func(path string) bool {
			is := r.names(files[i], path, h)
			if is {
				outside, files = append(outside, path), append(files, path)
			}
			return is
		})
	}
	return outside
}

func (r *reader) isNoCode(path string) bool { return !r.source(path) && !build.IsHeader(path) }

// names reports whether a source or header names another file: a source as an import does, and data by
// its name anywhere.
func (r *reader) names(from, path string, h *handed) bool {
	base := filepath.Base(path)
	switch {
	case from == path:
		return false
	case h.isCode[path]:
		names, known := h.names[from]
		if !known {
			names = build.NamesIn(from, h.text(from))
			h.names[from] = names
		}
		return names.Names(filepath.ToSlash(path))
	}
	name := strings.TrimSuffix(base, filepath.Ext(base))
	return bytes.Contains(h.text(from), []byte(name)) && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).Match(h.text(from))
}

// maxText is the part of a file in which names of others are looked for.
const maxText = 1 << 20

// text returns the beginning of a file; nil if it cannot be read.
func (h *handed) text(path string) []byte {
	text, known := h.texts[path]
	if !known {
		text = regular.Head(path, maxText)
		h.texts[path] = text
	}
	return text
}
