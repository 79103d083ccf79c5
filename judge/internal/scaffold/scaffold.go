// Package scaffold makes new problems, and writes a small one to begin with.
package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// files are the problem's, by their path with .txt at its end: as what they are they
// would be a part of this module.
//
//go:embed files
var files embed.FS

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// CheckID reports that a problem cannot be called so. The error has a hint.
func CheckID(id string) error {
	if !idPattern.MatchString(id) {
		return fmt.Errorf("bad problem id %q (hint: it must match [a-z0-9][a-z0-9-]*, as in two-sum)", id)
	}
	return nil
}

// parts are the three places of a problem below the root. The statement comes last:
// without it there is no problem.
func parts(id string) []string {
	return []string{filepath.Join("reference", id), filepath.Join("cases", id), filepath.Join("problems", id+".yaml")}
}

// Write writes a problem of that id into the repository at root: the statement, cases
// without their derived outputs, and programs in Go. It returns the places, in which
// nothing may be yet. When it fails it leaves nothing.
func Write(root, id string) (places []string, err error) {
	return Build(root, id, func(stage string) error {
		for i, from := range []string{"files/reference", "files/cases", "files/problems/problem.yaml.txt"} {
			if err := lay(from, filepath.Join(stage, parts(id)[i]), id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Build makes a problem of that id in the repository at root and returns its places, in
// which nothing may be yet. write writes it below stage, another root that has the
// folders for it, from where it is moved. When anything fails nothing is left; what a killed
// Build has left below root the next one removes, of whatever problem.
func Build(root, id string, write func(stage string) error) (places []string, err error) {
	if err := Free(root, id); err != nil {
		return nil, err
	}
	sweep(root)
	stage, held, err := newStage(root, id)
	if err != nil {
		return nil, yamlstrict.FileError(root, err)
	}
	defer held.Close()
	defer os.RemoveAll(stage)
	for _, p := range parts(id) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(stage, p)), 0o777); err != nil {
			return nil, wrap(err)
		}
	}
	if err := write(stage); err != nil {
		return nil, err
	}
	defer func() {
		for _, p := range places {
			if err != nil {
				os.RemoveAll(p)
			}
		}
		if err != nil {
			places = nil
		}
	}()
	for _, p := range parts(id) {
		to := filepath.Join(root, p)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return places, yamlstrict.FileError(filepath.Dir(to), err)
		}
		if err := os.Rename(filepath.Join(stage, p), to); err != nil {
			return places, yamlstrict.FileError(to, err)
		}
		places = append(places, to)
	}
	return places, nil
}

// Free reports what keeps a problem of that id from being made.
func Free(root, id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	for _, p := range parts(id) {
		to := filepath.Join(root, p)
		if _, err := os.Lstat(to); err == nil {
			return &yamlstrict.Error{File: to, Msg: "there is one already", Hint: "choose another id, or remove what is there"}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return yamlstrict.FileError(to, err)
		}
	}
	return nil
}

// lay writes what is embedded at from, a file or a folder, to a new place.
func lay(from, to, id string) error {
	fill := strings.NewReplacer("id: {{id}}", "id: "+scalar(id), "{{id}}", id, "{{title}}", scalar(title(id)))
	return fs.WalkDir(files, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		place := filepath.Join(to, strings.TrimSuffix(rel, ".txt"))
		if d.IsDir() {
			return wrap(os.Mkdir(place, 0o777))
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return wrap(os.WriteFile(place, []byte(fill.Replace(string(text))), 0o666))
	})
}

func wrap(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return yamlstrict.FileError(pe.Path, pe)
	}
	return err
}

// scalar writes a word in YAML, where one of them would be none.
func scalar(word string) string {
	if strings.EqualFold(word, "null") {
		return `"` + word + `"`
	}
	return word
}

// title makes words of an id: "Two sum" of two-sum.
func title(id string) string {
	words := strings.TrimSpace(strings.ReplaceAll(id, "-", " "))
	words = strings.ToUpper(words[:1]) + words[1:]
	if strings.Trim(words, "0123456789 ") == "" {
		words = "Problem " + words // a number would be one in YAML
	}
	return words
}
