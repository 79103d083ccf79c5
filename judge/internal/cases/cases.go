// Package cases reads the test cases of a problem and their lock, and writes outputs into them.
//
// Begin with cases.go. document.go holds the keys of a case file and lock.go the lock; outputs.go
// and append.go edit a case file; journal.go and hold.go change several files together, all or
// none.
package cases

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/yamlstrict"
)

// The files in a case folder that are not groups.
const (
	lockFile    = "lock.yaml"
	mutantsFile = "mutants.yaml"
)

// Case is one test case of a problem. Exactly one of Input, Generate and Given is set: the input is
// literal (in the case file or in a file of its own), generated, or read from a package.
type Case struct {
	Name  string // group/name, unique within the problem
	Group string // name of the file without .yaml
	File  string // path of the case file, as errors print it
	Line  int    // line of File on which the case begins
	Note  string // what the case is for; may be empty

	// Optional is set if the group is optional: then the case counts only if the user asks for it.
	Optional bool

	Input    *string  // the exact bytes of standard input
	Generate []string // arguments of the problem's generator, without the seed
	Seed     *uint64  // set if and only if Generate is set

	// Files that hold the input and the expected output instead of File: paths as errors print
	// them, or "". Input and Output hold their content.
	InputFile, OutputFile string

	Pinned bool    // Output was set by a person and is never rewritten
	Output *string // the exact bytes expected; nil if only the lock has their hash, or with Given

	// Given reads the input and the expected output of a case of a package.
	Given *Given

	// Settings of this case that override those of the problem.
	Args       []string            // arguments of the submission
	Files      map[string][]byte   // files in the submission's working folder, by slash path; use [Case.Beside]
	FilesDir   string              // the folder that holds Files, as errors print it; "" if there is none
	Compare    *diff.Options       // how the output is compared
	Flags      []string            // arguments of the output validator, after the problem's; nil if there are none
	Asked      string              // name of the only output validator to run; "" runs all
	InputArgs  map[string][]string // arguments of input validators by name, instead of the problem's
	AnswerArgs map[string][]string // arguments of answer validators by name, instead of the problem's
	Submitted  string              // name of the file with the output in a submission of outputs; "" if programs are submitted
	// InputValidators are the names of the only input validators of a package that read the input; nil
	// for all.
	InputValidators []string
	Points          float64 // points of the case, by the scoring rules of Polygon

	// Lock is the entry of the case in the lock file, or zero if there is none.
	Lock LockCase

	place yamlstrict.Place
}

// Given reads the files of a case on demand, because they may be large. Its functions are safe for
// concurrent use.
type Given struct {
	Input, Output func() (content.Content, error)
	Files         func() (map[string][]byte, error) // in the submission's working folder, by slash path; nil for none

	Loose bool // the answer is an input of the output validator, and need not be an accepted output itself
}

// Given reports whether a package gives the cases and their answers. Such a set has no case files
// and no lock.
func (s *Set) Given() bool {
	return len(s.Files) == 0
}

// Beside returns the files in the submission's working folder, by slash path; nil for none.
func (c *Case) Beside() (map[string][]byte, error) {
	if c.Given != nil && c.Given.Files != nil {
		return c.Given.Files()
	}
	return c.Files, nil
}

// Derived reports whether the reference computes the expected output, rather than a person or a
// package giving it.
func (c *Case) Derived() bool { return c.Output == nil && c.Given == nil }

// Short returns the name within the group, as in the case file.
func (c *Case) Short() string { return strings.TrimPrefix(c.Name, c.Group+"/") }

// Errorf returns an error located at a key of the case in its file, such as "output", or at the
// case itself if it has no such key. The hint may be empty. The message names the case, except for
// a case of a package, whose file already does.
func (c *Case) Errorf(key, hint, format string, args ...any) error {
	if c.Given != nil {
		e := &yamlstrict.Error{File: c.File, Msg: fmt.Sprintf(format, args...), Hint: hint}
		if key == "output" && c.OutputFile != "" {
			e.File = c.OutputFile
		}
		return e
	}
	e := c.place.Errorf(key, hint, "case %s: %s", c.Short(), fmt.Sprintf(format, args...))
	if e.File == "" {
		e.File = c.File
	}
	return e
}

// Set holds all cases of one problem in case order: the group sample first, then the other groups
// in alphabetical order, then the optional groups. Within a group it is the order of the file. So a
// program whose first failure is in an optional group has passed every case that is not optional. A
// Set may be read by several goroutines at once.
type Set struct {
	Problem string
	Cases   []Case
	Groups  []Group  // in case order; at least one is not optional
	Lock    *Lock    // empty, not nil, if there is no lock file
	Files   []string // the case files, one for each group

	read []Edit
	size int64 // total size of the files beside the case files
}

// Load reads cases/<id>/*.yaml below root. Every failure is a [*yamlstrict.Error]. It fails if an
// input or output in the files does not match its hash in the lock, but not if an output is neither
// in the files nor in the lock; see [Set.Missing].
func Load(root, id string) (*Set, error) {
	s, err := Read(root, id)
	if err != nil {
		return nil, err
	}
	return s, s.CheckLock()
}

// CheckLock compares the content of the files with the hashes in the lock. Every failure is a
// [*yamlstrict.Error].
func (s *Set) CheckLock() error {
	for i := range s.Cases {
		if err := s.Cases[i].checkLock(s.Problem); err != nil {
			return err
		}
	}
	return nil
}

// Read is Load without the comparison with the lock, for commands that renew the lock. It completes
// a [Replace] that was killed, and sees all or none of the changes of a concurrent one. It gives up
// after half a minute if another process keeps the folder locked.
func Read(root, id string) (*Set, error) {
	dir := filepath.Join(root, "cases", id)
	return quietly(dir, readPatience, func() (*Set, error) { return readSet(dir, id) })
}

// readSet is Read without the locks.
func readSet(dir, id string) (*Set, error) {
	files, err := groupFiles(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Problem: id}
	lock := Edit{Path: filepath.Join(dir, lockFile)}
	if s.Lock, lock.Old, err = readLock(lock.Path); err != nil {
		return nil, err
	}
	var parsed []file
	for _, path := range files {
		data, err := yamlstrict.Read(path)
		if err != nil {
			return nil, err
		}
		f, err := read(path, data)
		if err == nil && s.Lock.knows(f.group.Name) {
			err = checkEnd(path, data)
		}
		if err != nil {
			return nil, err
		}
		if err := s.readFiles(f.cases); err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	if err := s.add(parsed); err != nil {
		return nil, err
	}
	lock.Text = lock.Old
	s.read = append(s.read, lock)
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Lock = s.Lock.Cases[c.Name]
	}
	return s, nil
}

// Missing returns a located error for the first case whose expected output is neither in the file
// nor in the lock, or nil if there is none.
func (s *Set) Missing() error {
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Derived() && c.Lock.Output == "" {
			return c.place.Errorf("", "run judge regen "+s.Problem, "case %s has no expected output", c.Short())
		}
	}
	return nil
}

// checkLock compares the content of the file with the hashes in the lock.
func (c *Case) checkLock(id string) error {
	hint := fmt.Sprintf("run judge regen %s, or restore the file", id)
	if c.Output != nil && c.Lock.Output != "" && Hash([]byte(*c.Output)) != c.Lock.Output {
		return c.Errorf(where("output", c.OutputFile), hint, "output does not match %s: %s", lockFile, damage(*c.Output, c.Lock.Output))
	}
	if c.Input != nil && c.Lock.Input != "" && Hash([]byte(*c.Input)) != c.Lock.Input {
		return c.Errorf(where("input", c.InputFile), hint, "input does not match %s: %s", lockFile, damage(*c.Input, c.Lock.Input))
	}
	if c.Generate == nil && c.Lock != (LockCase{}) && c.Made() != c.Lock.Made {
		return c.Errorf("", hint, "its arguments, its files or how it is judged do not match %s", lockFile)
	}
	return nil
}

// where returns the name of the key that holds a text: key, or key_file if file is not "".
func where(key, file string) string {
	if file != "" {
		key += "_file"
	}
	return key
}

// damage explains why a text no longer has a hash. The usual cause is an editor that trims the end
// of a file or a block.
func damage(text, hash string) string {
	const most = 16
	for n := 1; n <= most; n++ {
		if text += "\n"; Hash([]byte(text)) != hash {
			continue
		}
		if n == 1 {
			return "its last line end is missing"
		}
		return fmt.Sprintf("its last %d line ends are missing", n)
	}
	return "it was edited or trimmed"
}

const namePattern = `[a-z0-9][a-z0-9-]*`

var groupName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + namePattern + `$`) })

// file is a parsed case file.
type file struct {
	path  string
	data  []byte
	place yamlstrict.Place
	group Group
	cases []Case
}

// parse is read, but returns only the cases.
func parse(path string, data []byte) ([]Case, error) {
	f, err := read(path, data)
	return f.cases, err
}

// read parses a case file. The group is the base name of path without .yaml; the file itself is not
// opened. Every failure is a [*yamlstrict.Error]. The cases have no [LockCase].
func read(path string, data []byte) (file, error) {
	var doc document
	if err := yamlstrict.Decode(path, data, &doc); err != nil {
		return file{}, err
	}
	if err := checkEnd(path, data); err != nil && !doc.complete(data) {
		return file{}, err
	}
	group := strings.TrimSuffix(filepath.Base(path), ".yaml")
	if doc.Optional && group == sampleGroup {
		return file{}, doc.Place.Errorf("optional", "put optional cases into another group", "the group %s cannot be optional", group)
	}
	lines := make(map[string]int, len(doc.Cases))
	list := make([]Case, len(doc.Cases))
	for i, it := range doc.Cases {
		if first, ok := lines[it.Name]; ok {
			return file{}, it.Place.Errorf("name", fmt.Sprintf("the first is on line %d", first), "two cases are called %s", it.Name)
		}
		lines[it.Name] = it.Place.LineOf("name")
		if it.Place.Flow() {
			return file{}, it.Place.Errorf("", "write it without braces, one key a line", "case %s is written in braces", it.Name)
		}
		if it.Output != nil && it.OutFile != "" {
			return file{}, it.Place.Errorf("output_file", "leave out one of them", "case %s has both output and output_file", it.Name)
		}
		list[i] = Case{
			Name: group + "/" + it.Name, Group: group, File: path, Line: it.Place.Line(), Note: it.Note, Optional: doc.Optional,
			Input: it.Input, Generate: it.Generate, Seed: it.Seed,
			Pinned: it.Pinned || it.OutFile != "", Output: it.Output, place: it.Place,
			InputFile: beside(path, it.InFile), OutputFile: beside(path, it.OutFile),
			Args: it.Args, FilesDir: beside(path, it.Files), Flags: it.OutputArgs, Asked: it.Validator,
		}
		if it.Points != nil {
			list[i].Points = *it.Points
		}
		list[i].InputArgs, list[i].AnswerArgs = byName(it.InputArgs), byName(it.AnswerArgs)
	}
	return file{path, data, doc.Place, Group{Name: group, Note: doc.Note, Optional: doc.Optional, Cases: len(list)}, list}, nil
}

// byName returns arguments of validators by name; nil if there are none.
func byName(list yamlstrict.Map[[]string]) map[string][]string {
	var args map[string][]string
	for _, e := range list {
		if args == nil {
			args = map[string][]string{}
		}
		args[e.Key] = e.Value
	}
	return args
}

// checkEnd requires the end marker. Without it, an editor that trims the end of files would cut
// empty lines off the last output, and a file that was cut short would have fewer cases. Only a new
// file, all of whose cases are whole, may lack it until regen writes the file.
func checkEnd(file string, data []byte) error {
	text := bytes.TrimRight(data, "\n ")
	if bytes.HasSuffix(text, endMarker[:len(endMarker)-1]) {
		return nil
	}
	return &yamlstrict.Error{File: file, Line: 1 + bytes.Count(text, []byte{'\n'}), Msg: "no end marker",
		Hint: "end the file with a line of three dots: ... keeps editors from trimming the last output"}
}

// endMarker is the end of a case file, with the line end before it.
var endMarker = []byte("\n...\n")

// withEnd returns the text of a case file that can be read, with the end marker.
func withEnd(file string, data []byte) []byte {
	if checkEnd(file, data) == nil {
		return data
	}
	return slices.Concat(data, endMarker[1:])
}

// Schema returns the JSON Schema of a case file.
func Schema() ([]byte, error) {
	return yamlstrict.Schema(document{}, "cases/<problem>/<group>.yaml: test cases of one group")
}
