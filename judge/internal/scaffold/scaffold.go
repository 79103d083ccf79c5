// Package scaffold writes a small problem to begin a new one with.
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

// part is one of the three places of a problem: below files, and below the root.
type part struct{ from, to string }

func parts(id string) []part {
	return []part{
		{"files/reference", filepath.Join("reference", id)},
		{"files/cases", filepath.Join("cases", id)},
		{"files/problems/problem.yaml.txt", filepath.Join("problems", id+".yaml")},
	}
}

// Write writes a problem of that id into the repository at root: the statement, cases
// without their derived outputs, and programs in Go. It returns the places, in which
// nothing may be yet. When it fails it leaves nothing.
func Write(root, id string) (places []string, err error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	for _, p := range parts(id) {
		to := filepath.Join(root, p.to)
		if _, err := os.Lstat(to); err == nil {
			return nil, &yamlstrict.Error{File: to, Msg: "there is one already", Hint: "choose another id, or remove what is there"}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, yamlstrict.FileError(to, err)
		}
	}
	stage, err := os.MkdirTemp(root, ".new-"+id+"-")
	if err != nil {
		return nil, yamlstrict.FileError(root, err)
	}
	defer os.RemoveAll(stage)
	for i, p := range parts(id) {
		if err := lay(p.from, filepath.Join(stage, fmt.Sprint(i)), id); err != nil {
			return nil, err
		}
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
	// The statement comes last: without it there is no problem.
	for i, p := range parts(id) {
		to := filepath.Join(root, p.to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return places, yamlstrict.FileError(filepath.Dir(to), err)
		}
		if err := os.Rename(filepath.Join(stage, fmt.Sprint(i)), to); err != nil {
			return places, yamlstrict.FileError(to, err)
		}
		places = append(places, to)
	}
	return places, nil
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
