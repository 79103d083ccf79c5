package cases

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// Lock is what regen last found out about the cases of a problem: the content
// of cases/<id>/lock.yaml. The zero Lock knows nothing.
type Lock struct {
	Reference string // hash, in lower-case hex, of everything that the reference's outputs depend on
	Generator string // likewise for the generated inputs; "" without a generator
	Cases     map[string]LockCase
}

// LockCase is what the lock says about one case. Empty hashes are unknown.
type LockCase struct {
	Input  string // [Hash] of the input
	Output string // [Hash] of the expected output
	Bytes  int64  // size of the expected output; 0 when it stands in the case file
}

// lockDocument is a lock file. It keeps the order and lines of its cases.
type lockDocument struct {
	Reference string                       `yaml:"reference,word" pattern:"[0-9a-f]+"`
	Generator string                       `yaml:"generator,word" pattern:"[0-9a-f]+"`
	Cases     yamlstrict.Map[lockedRecord] `yaml:"cases,required"`
}

type lockedRecord struct {
	Input  string `yaml:"input,word" pattern:"[0-9a-f]{32}"`
	Output string `yaml:"output,word" pattern:"[0-9a-f]{32}"`
	Bytes  int64  `yaml:"bytes" min:"0"`
}

// Hash returns the hash by which a lock knows some bytes: the first 16 bytes of
// their SHA-256 in lower-case hex.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// readLock reads a lock file; a missing one is an empty lock.
func readLock(file string) (*Lock, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return &Lock{Cases: map[string]LockCase{}}, nil
	}
	data, err := yamlstrict.Read(file)
	if err != nil {
		return nil, err
	}
	return parseLock(file, data)
}

// parseLock reads the content of a lock file; the file itself is not opened.
// Every failure is a [*yamlstrict.Error]. Cases that no case file has are kept.
func parseLock(file string, data []byte) (*Lock, error) {
	var doc lockDocument
	if err := yamlstrict.Decode(file, data, &doc); err != nil {
		return nil, err
	}
	l := &Lock{Reference: doc.Reference, Generator: doc.Generator, Cases: make(map[string]LockCase, len(doc.Cases))}
	for _, e := range doc.Cases {
		group, name, _ := strings.Cut(e.Key, "/")
		if !groupName.MatchString(group) || !groupName.MatchString(name) {
			return nil, &yamlstrict.Error{File: file, Line: e.Line, Msg: fmt.Sprintf("%q is not the name of a case", e.Key), Hint: "names are group/name"}
		}
		l.Cases[e.Key] = LockCase(e.Value)
	}
	return l, nil
}

// Marshal returns the content of the lock file. It depends on l alone: cases are
// in the order of their groups, and within a group by name, so that moving a
// case within its file leaves the lock as it is. One case a line and no columns
// to align: a changed output is a diff of one line. The hashes must be hex and
// the names those of cases, or Load refuses the result.
func (l *Lock) Marshal() []byte {
	var b bytes.Buffer
	b.WriteString("# Written by judge regen; not for editing.\n")
	if l.Reference != "" {
		fmt.Fprintf(&b, "reference: %s\n", l.Reference)
	}
	if l.Generator != "" {
		fmt.Fprintf(&b, "generator: %s\n", l.Generator)
	}
	if len(l.Cases) == 0 {
		b.WriteString("cases: {}\n")
		return b.Bytes()
	}
	b.WriteString("cases:\n")
	for _, name := range slices.SortedFunc(maps.Keys(l.Cases), compareNames) {
		c := l.Cases[name]
		var fields []string
		if c.Input != "" {
			fields = append(fields, "input: "+c.Input)
		}
		if c.Output != "" {
			fields = append(fields, "output: "+c.Output)
		}
		if c.Bytes != 0 {
			fields = append(fields, fmt.Sprintf("bytes: %d", c.Bytes))
		}
		fmt.Fprintf(&b, "  %s: {%s}\n", name, strings.Join(fields, ", "))
	}
	return b.Bytes()
}

func compareNames(a, b string) int {
	groupA, nameA, _ := strings.Cut(a, "/")
	groupB, nameB, _ := strings.Cut(b, "/")
	return cmp.Or(compareGroups(groupA, groupB), strings.Compare(nameA, nameB))
}
