package listen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// save writes the package of a problem into a new folder, completely or not at all.
func (s *Server) save(p *Post) (saved Saved, status int, err error) {
	switch {
	case p.Interactive:
		return saved, http.StatusUnprocessableEntity, fmt.Errorf("%.60q is interactive, and its interactor is not posted", p.Name)
	case len(p.Tests) == 0:
		return saved, http.StatusUnprocessableEntity, fmt.Errorf("%.60q has no samples", p.Name)
	case len(p.Tests) > maxTests:
		return saved, http.StatusUnprocessableEntity, fmt.Errorf("%.60q has more than %d samples", p.Name, maxTests)
	}
	files := p.files()
	saved = Saved{Samples: len(p.Tests), URL: p.url(), Notes: p.notes()}
	name := folderName(p.Name)
	for n := 1; ; n++ {
		saved.Folder = filepath.Join(s.Dir, name)
		if n > 1 {
			saved.Folder += "-" + strconv.Itoa(n)
		}
		switch _, err := os.Lstat(saved.Folder); {
		case errors.Is(err, fs.ErrNotExist):
			if err := write(s.Dir, saved.Folder, files); err != nil {
				return saved, http.StatusInternalServerError, err
			}
			return saved, 0, nil
		case err != nil:
			return saved, http.StatusInternalServerError, yamlstrict.FileError(saved.Folder, err)
		case holds(saved.Folder, files):
			saved.Again = true
			return saved, 0, nil
		case n == maxTests:
			return saved, http.StatusInternalServerError, &yamlstrict.Error{File: saved.Folder, Msg: "already exists, as do all before it", Hint: "remove some"}
		}
	}
}

// write makes a folder with the files, by their slash paths.
func write(dir, folder string, files map[string]string) (err error) {
	stage, err := os.MkdirTemp(dir, ".new-")
	if err != nil {
		return yamlstrict.FileError(dir, err)
	}
	defer os.RemoveAll(stage)
	for name, text := range files {
		file := filepath.Join(stage, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o666)
		}
		if err != nil {
			return yamlstrict.FileError(filepath.Join(folder, filepath.FromSlash(name)), err)
		}
	}
	if err := os.Chmod(stage, 0o755); err != nil {
		return yamlstrict.FileError(folder, err)
	}
	if err := os.Rename(stage, folder); err != nil {
		return yamlstrict.FileError(folder, err)
	}
	return nil
}

// holds reports whether a folder has each of the files with that text.
func holds(folder string, files map[string]string) bool {
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
			return false
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, []byte(text)) {
			return false
		}
	}
	return true
}

// files returns the files of the package: a Kattis package, because that can hold the limits and the
// source beside the samples.
func (p *Post) files() map[string]string {
	name := oneLine(p.Name)
	if name == "" {
		name = "Problem"
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "problem_format_version: 2025-09\nname: %s\n", quoted(name))
	source, from := oneLine(p.Group), p.url()
	if source == "" {
		source = from
	}
	switch {
	case from != "":
		fmt.Fprintf(&doc, "source: {name: %s, url: %s}\n", quoted(source), quoted(from))
	case source != "":
		fmt.Fprintf(&doc, "source: %s\n", quoted(source))
	}
	fmt.Fprintf(&doc, "limits: {%s}\n", p.limits())
	statement := "The browser posted only the samples.\n"
	if from != "" {
		statement = "See <" + from + ">.\n"
	}
	files := map[string]string{"problem.yaml": doc.String(), "statement/problem.en.md": statement}
	width := len(strconv.Itoa(len(p.Tests)))
	for i, t := range p.Tests {
		base := fmt.Sprintf("data/sample/%0*d", width, i+1)
		files[base+".in"], files[base+".ans"] = ended(t.Input), ended(t.Output)
	}
	return files
}

// usualTime is the time limit, in seconds, if none is posted: without one nothing could be judged.
const usualTime = 10

// timeLimit returns the time limit in seconds, 0 for none.
func (p *Post) timeLimit() float64 { return max(math.Round(min(p.TimeLimit, 3_600_000)), 0) / 1000 }

// limits returns the limits as the keys of problem.yaml.
func (p *Post) limits() string {
	list := []string{"time_limit: " + strconv.FormatFloat(cmp.Or(p.timeLimit(), usualTime), 'f', -1, 64)}
	if mib := math.Round(p.MemoryLimit); mib >= 1 {
		list = append(list, fmt.Sprintf("memory: %d", int64(min(mib, 1<<20))))
	}
	return strings.Join(list, ", ")
}

// notes says what the package cannot.
func (p *Post) notes() (list []string) {
	for _, s := range []struct {
		Stream
		usual, does, instead string
	}{{p.Input, "stdin", "reads", "from standard input"}, {p.Output, "stdout", "writes", "to standard output"}} {
		switch {
		case s.Type == "regex":
			list = append(list, fmt.Sprintf("a submission there %s a file whose name matches %.60q, here %s", s.does, s.Pattern, s.instead))
		case s.Type != "" && s.Type != s.usual:
			list = append(list, fmt.Sprintf("a submission there %s the file %.60q, here %s", s.does, s.FileName, s.instead))
		}
	}
	if p.timeLimit() == 0 {
		list = append(list, fmt.Sprintf("no time limit was posted: here it is %d s", usualTime))
	}
	return list
}

// url returns the address of the problem, "" unless it is one of the web.
func (p *Post) url() string {
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(p.URL) > 2000 {
		return ""
	}
	return u.String()
}

// folderName returns a name for a folder: words of a name in a to z and 0 to 9, joined by hyphens.
func folderName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	folder := strings.Join(words, "-")
	folder = strings.Trim(folder[:min(len(folder), maxName)], "-")
	if folder == "" {
		return "problem"
	}
	return folder
}

// oneLine returns a text in one line of bounded length.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200])
	}
	return text
}

// quoted returns a text as a YAML scalar, which JSON's strings are.
func quoted(text string) string {
	data, _ := json.Marshal(text) // a string always has a JSON form
	return string(data)
}

// ended returns a text whose last line ends.
func ended(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
