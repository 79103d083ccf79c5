// Package scaffold adds a problem to the repository, or makes a repository, either in full or not at
// all. It contains a small problem to start from.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"tribunal/judge/internal/yamlstrict"
)

var idPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`) })

// CheckID returns an error, with a hint, if id cannot be the id of a problem.
func CheckID(id string) error {
	if !idPattern().MatchString(id) {
		return fmt.Errorf("bad problem id %q (hint: it must match [a-z0-9][a-z0-9-]*, as in two-sum)", id)
	}
	return nil
}

// NearestID derives a valid problem id from a name.
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

// parts returns the three paths of a problem below the root: reference, cases, statement. The
// statement comes last, because the problem does not exist without it.
func parts(id string) []string {
	return []string{filepath.Join("reference", id), filepath.Join("cases", id), filepath.Join("problems", id+".yaml")}
}

// Build adds a problem to the repository at root and returns its three paths, at which nothing may
// exist yet. It calls write with a stage, an empty root in which write makes the problem, and then
// moves the three paths from the stage to root. If it fails, it leaves nothing behind. Build first
// removes the stages below root that killed processes have left.
func Build(root, id string, write func(stage string) error) (places []string, err error) {
	if err := Free(root, id); err != nil {
		return nil, err
	}
	return add(root, id, parts(id), write)
}

// add makes the given paths below root, as Build makes those of a problem. The name is part of that
// of the stage.
func add(root, name string, parts []string, write func(stage string) error) (places []string, err error) {
	sweep(root)
	stage, held, err := newStage(root, name)
	if err != nil {
		return nil, yamlstrict.FileError(root, err)
	}
	defer held.Close()
	defer os.RemoveAll(stage)
	for _, p := range parts {
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
	for _, p := range parts {
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

// Free returns an error if no problem with that id can be added: the id is invalid, or one of the
// problem's paths exists.
func Free(root, id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	return free(root, parts(id), "choose another id, or remove it")
}

// free returns an error with the hint if one of the paths below root exists.
func free(root string, parts []string, hint string) error {
	for _, p := range parts {
		to := filepath.Join(root, p)
		if _, err := os.Lstat(to); err == nil {
			return &yamlstrict.Error{File: to, Msg: "already exists", Hint: hint}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return yamlstrict.FileError(to, err)
		}
	}
	return nil
}

func wrap(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return yamlstrict.FileError(pe.Path, pe)
	}
	return err
}
