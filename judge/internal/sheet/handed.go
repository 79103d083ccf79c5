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
	texts  map[string][]byte       // the beginnings of files, when they were needed
	names  map[string]build.Naming // by source or header: what it names, when it was needed
	code   []string                // the sources and headers among all, when they were needed
	loose  []string                // those among others
	isCode map[string]bool         // has the elements of code
}

// look adds what is in dir and below to h.
func (r *reader) look(dir string, h *handed) error {
	entries, links, err := visible(dir)
	if err != nil {
		return err
	}
	for _, path := range links {
		if p := r.like(path); p != "" {
			h.links[p] = path
		} else {
			r.note(path, aLink)
		}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch p := r.like(e.Name()); {
		case p != "" && (!e.IsDir() || r.hasSource(path)):
			h.called[p] = append(h.called[p], path)
		case e.IsDir() && !build.IsProduct(e.Name(), func(file string) bool { return exists(filepath.Join(dir, file)) }):
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
	h.code, h.loose = slices.DeleteFunc(h.all(), r.isNoCode), slices.DeleteFunc(slices.Clone(h.others), r.isNoCode)
	h.isCode = map[string]bool{}
	for _, path := range h.code {
		h.isCode[path] = true
	}
	var named []string // files and folders that an entry names
	for _, p := range r.problems {
		path, wrong := r.program(dir, p, h)
		switch {
		case path == "":
			continue
		case wrong == "":
			named = append(named, path)
		case wrong != aLink && path != dir:
			named = append(named, r.sources(h.called[p])...)
		}
		r.addWrong(student, p, path, wrong)
	}
	for _, path := range h.all() {
		if !slices.ContainsFunc(named, func(in string) bool { return path == in || strings.HasPrefix(path, in+string(filepath.Separator)) }) {
			r.note(path, "belongs to none of the problems "+list(r.problems))
		}
	}
	return nil
}

// all returns the paths of all files and folders, sorted.
func (h *handed) all() []string {
	all := slices.Clone(h.others)
	for _, list := range h.called {
		all = append(all, list...)
	}
	slices.Sort(all)
	return all
}

// program returns the file or folder that a student handed in for a problem, and why that cannot be
// judged. The path is "" if nothing was handed in.
func (r *reader) program(dir, problem string, h *handed) (path, wrong string) {
	called := h.called[problem]
	sources := r.sources(called)
	packed := slices.DeleteFunc(append(slices.Clone(called), h.others...), func(path string) bool { return !archive(path) })
	if len(sources) == 0 && len(h.code) == 0 && len(packed) > 0 {
		return packed[0], "no source, but there is " + list(packed)
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
		if archive(path) || r.source(path) && !r.mentioned(path, h) {
			free = append(free, path)
		}
	}
	if len(free) > 0 {
		return dir, fmt.Sprintf("no file is called %s, but there is %s", problem, list(free))
	}
	if called = slices.DeleteFunc(slices.Clone(called), build.IsHeader); len(called) > 0 {
		return called[0], "no source: " + list(called)
	}
	return "", ""
}

// sources returns the paths that are folders or sources.
func (r *reader) sources(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !r.source(path) && !isFolder(path) })
}

// only returns the file or folder in dir, or below, that has everything that is there.
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
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read has no file to name
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
		return path != source && (r.source(path) || build.IsHeader(path) || r.mentioned(path, h))
	})
}

// archive reports whether a file may have programs in it that only a person can take out.
func archive(path string) bool {
	return slices.Contains([]string{".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".ipynb"}, strings.ToLower(filepath.Ext(path)))
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
