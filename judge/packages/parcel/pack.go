// Package parcel packs a problem of a repository into one archive, and opens it elsewhere.
//
// A parcel is a zip file with a slice of the repository: all files that the problem's loading,
// regenerating and judging read, at their paths. The same files give the same bytes, so that the
// hash of a parcel names a version of the problem.
package parcel

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

// Pack writes a problem of the repository at root to w: its file in problems/, its folders in
// cases/ and reference/, and the packages of the same module that its Go programs import on this
// machine. A go.mod is cut down to what changes how programs are compiled, so that an update of an
// unrelated module makes no new version. Hidden files and those of editors are left out.
//
// An error about the problem is a [*yamlstrict.Error], or lists the known problems if there is none
// with this id. After an error, w holds a part of an archive.
func Pack(root, id string, w io.Writer) error {
	p, err := repo.Load(root, id)
	if err != nil {
		return err
	}
	if _, err := p.Cases(); err != nil { // it also completes changes of the cases that were interrupted
		return err
	}
	l := list{root: root, files: map[string]bool{"problems/" + id + ".yaml": false}}
	if err := errors.Join(l.add("cases/"+id, hiddenCase), l.add("reference/"+id, hidden)); err != nil {
		return err
	}
	if err := l.addImports(p); err != nil {
		return err
	}
	return l.write(w)
}

// list is the files of a parcel.
type list struct {
	root  string
	files map[string]bool // by slash path below root: whether it is a go.mod to cut down
}

// place returns the path of a file on disk.
func (l *list) place(rel string) string { return filepath.Join(l.root, filepath.FromSlash(rel)) }

// add adds the files below a folder. It leaves out those for which skip is true, given their path
// below the folder.
func (l *list) add(folder string, skip func(rel string) bool) error {
	top := l.place(folder)
	return filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return yamlstrict.FileError(file, err)
		}
		rel, err := filepath.Rel(top, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case file == top:
		case skip(rel):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
		case !d.Type().IsRegular():
			return &yamlstrict.Error{File: file, Msg: "not a regular file", Hint: "put the file itself there: a parcel has no links"}
		default:
			l.files[path.Join(folder, rel)] = false
		}
		return nil
	})
}

// hidden reports whether nothing reads a file, because of its name.
func hidden(rel string) bool { return repo.Ignored(path.Base(rel)) }

// hiddenCase is like hidden, for a file in the folder of the cases. The folder of a group has
// folders whose files submissions find where they start, whatever they are called.
func hiddenCase(rel string) bool { return strings.Count(rel, "/") < 2 && hidden(rel) }

// addImports adds the files of the problem's programs that are elsewhere in the repository, and the
// go.mod of their module.
func (l *list) addImports(p *problem.Problem) error {
	languages := build.Defaults()
	for _, folder := range []string{p.Reference, p.Generator, p.Brute, p.Check, p.Draw} {
		if !build.HasSource(l.place(folder), languages) {
			continue
		}
		source, err := build.OpenOwn(l.root, filepath.ToSlash(folder), languages)
		if err != nil {
			return err
		}
		for _, file := range source.Files() {
			l.files[file] = path.Base(file) == "go.mod"
		}
	}
	return nil
}

// write writes the archive. Files are stored without compression, because the output of a
// compressor may change with the version that built the judge.
func (l *list) write(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, rel := range slices.Sorted(maps.Keys(l.files)) {
		h := &zip.FileHeader{Name: rel, Method: zip.Store}
		h.SetMode(0o644)
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if err := l.copy(to, rel); err != nil {
			return err
		}
	}
	return z.Close()
}

func (l *list) copy(w io.Writer, rel string) error {
	f, info, err := regular.OpenPlain(l.place(rel))
	if err != nil {
		return yamlstrict.FileError(l.place(rel), err)
	}
	defer f.Close()
	if !l.files[rel] {
		_, err = io.Copy(w, f)
		return err
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return yamlstrict.FileError(l.place(rel), err)
	}
	if text, err = build.ModuleSettings(l.place(rel), text); err != nil {
		return build.Located(l.place(rel), err)
	}
	_, err = w.Write(text)
	return err
}
