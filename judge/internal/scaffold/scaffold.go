// Package scaffold creates problems in the repository, all of a problem or nothing, and a small one
// to start from.
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

// files are those of the small problem, with .txt added to their names: Go files without it would
// be part of this module.
//
//go:embed files
var files embed.FS

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// CheckID returns an error, with a hint, if id cannot be the id of a problem.
func CheckID(id string) error {
	if !idPattern.MatchString(id) {
		return fmt.Errorf("bad problem id %q (hint: it must match [a-z0-9][a-z0-9-]*, as in two-sum)", id)
	}
	return nil
}

// NearestID returns an id that a problem can have and that is most like a name.
func NearestID(name string) string {
	id := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name)), "-")
	if id == "" {
		return "problem"
	}
	return id
}

// parts returns the three places of a problem below the root. The statement comes last: without it
// the problem does not exist.
func parts(id string) []string {
	return []string{filepath.Join("reference", id), filepath.Join("cases", id), filepath.Join("problems", id+".yaml")}
}

// Write writes the small problem, under that id, into the repository at root: the statement, cases
// without their derived outputs, and programs in Go. It returns the places, where nothing may exist
// yet. If it fails, it leaves nothing behind.
func Write(root, id string) (places []string, err error) {
	return Build(root, id, func(stage string) error {
		for i, from := range []string{"files/reference", "files/cases", "files/problems/problem.yaml.txt"} {
			if err := writeFiles(from, filepath.Join(stage, parts(id)[i]), id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Build makes a problem in the repository at root and returns its places, where nothing may exist
// yet. It calls write with a stage, an empty root with the folders for the problem, and then moves
// the places from there. If anything fails, nothing is left behind. Build first removes the stages
// below root that killed Builds of any problem have left.
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

// Free returns an error if a problem of that id cannot be made: the id is bad, or something exists
// at one of its places.
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

// writeFiles writes the embedded file or folder from to a new place.
func writeFiles(from, to, id string) error {
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

// scalar writes a word as a YAML text: it quotes null, which would otherwise be no value.
func scalar(word string) string {
	if strings.EqualFold(word, "null") {
		return `"` + word + `"`
	}
	return word
}

// title makes a title of an id: "Two sum" of two-sum.
func title(id string) string {
	words := strings.TrimSpace(strings.ReplaceAll(id, "-", " "))
	words = strings.ToUpper(words[:1]) + words[1:]
	if strings.Trim(words, "0123456789 ") == "" {
		words = "Problem " + words // YAML would read it as a number
	}
	return words
}
