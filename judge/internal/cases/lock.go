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

// Lock is the content of cases/<id>/lock.yaml: hashes of the programs that the last regen ran, and
// of the inputs and outputs that they computed. It depends on content alone, so it is the same on
// every machine. In the zero Lock everything is unknown.
type Lock struct {
	// Reference and Generator are hashes, in lower-case hex, of the sources and flags of the
	// programs that computed the outputs and the generated inputs. "" means unknown: there is no
	// generator, the cases come from several versions, or the seal of the lock is broken.
	Reference string
	Generator string
	// Checker is the hash of how outputs are judged: the comparison, and the sources and flags of
	// the output validator, if there is one. It has accepted every expected output. "" means byte
	// by byte, or unknown.
	Checker   string
	Toolchain string // toolchain that built the programs, one line; "" means unknown
	Cases     map[string]LockCase
}

// LockCase is the entry of one case. Empty hashes are unknown.
type LockCase struct {
	Made   string // [Case.Made]
	Input  string // [Hash] of the input
	Output string // [Hash] of the expected output
	Bytes  int64  // size of an output of which only the lock has the hash; 0 if the case file has the output
}

// lockDocument is a lock file. It keeps the order and the lines of its cases.
type lockDocument struct {
	Reference string                       `yaml:"reference,word" pattern:"[0-9a-f]+"`
	Generator string                       `yaml:"generator,word" pattern:"[0-9a-f]+"`
	Checker   string                       `yaml:"checker,word" pattern:"[0-9a-f]+"`
	Toolchain string                       `yaml:"toolchain,nonempty"`
	Cases     yamlstrict.Map[lockedRecord] `yaml:"cases,required"`
	Seal      string                       `yaml:"seal,word" pattern:"[0-9a-f]{32}"`
}

type lockedRecord struct {
	Made   string `yaml:"made,word" pattern:"[0-9a-f]{32}"`
	Input  string `yaml:"input,word" pattern:"[0-9a-f]{32}"`
	Output string `yaml:"output,word" pattern:"[0-9a-f]{32}"`
	Bytes  int64  `yaml:"bytes" min:"0"`
}

// Hash returns the hash of b for a lock: the first 16 bytes of its SHA-256 in lower-case hex.
func Hash(b []byte) string { return HashOf(sha256.Sum256(b)) }

// HashOf is like Hash, but takes the SHA-256 of the bytes.
func HashOf(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:16]) }

// Made returns the hash of everything on which the expected output depends, except a literal input:
// the arguments and seed of the generator, and the case's own arguments, files and validators. It
// is "" if the case has none of these.
func (c *Case) Made() string {
	var text []byte // quoting keeps arguments apart
	if c.Generate != nil {
		text = fmt.Appendf(text, "%q %d", c.Generate, *c.Seed)
	}
	if c.Args != nil {
		text = fmt.Appendf(text, " args %q", c.Args)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		text = fmt.Appendf(text, " file %q %s", name, Hash(c.Files[name]))
	}
	if c.Flags != nil || c.Asked != "" {
		text = fmt.Appendf(text, " judged %q %q", c.Asked, c.Flags)
	}
	if text == nil {
		return ""
	}
	return Hash(text)
}

// readLock reads a lock file, and also returns its text. If there is none, it returns an empty lock
// and no text.
func readLock(file string) (*Lock, []byte, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return &Lock{Cases: map[string]LockCase{}}, nil, nil
	}
	data, err := yamlstrict.Read(file)
	if err != nil {
		return nil, nil, err
	}
	l, err := parseLock(file, data)
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok && !bytes.ContainsRune(data, '\r') { // \r has a hint of its own
		e.Hint = "do not edit it: restore it, or take either side of a merge, and run judge regen"
	}
	return l, data, err
}

// parseLock parses the content of a lock file; the file itself is not opened. Every failure is a
// [*yamlstrict.Error]. Cases without a case file are kept. If the seal is broken, the hashes of the
// programs are dropped.
func parseLock(file string, data []byte) (*Lock, error) {
	var doc lockDocument
	if err := yamlstrict.Decode(file, data, &doc); err != nil {
		return nil, err
	}
	l := &Lock{Reference: doc.Reference, Generator: doc.Generator, Checker: doc.Checker, Toolchain: doc.Toolchain, Cases: make(map[string]LockCase, len(doc.Cases))}
	for _, e := range doc.Cases {
		group, name, _ := strings.Cut(e.Key, "/")
		if !groupName().MatchString(group) || !groupName().MatchString(name) {
			return nil, &yamlstrict.Error{File: file, Line: e.Line, Msg: fmt.Sprintf("%q is not the name of a case", e.Key), Hint: "names are group/name"}
		}
		l.Cases[e.Key] = LockCase(e.Value)
	}
	if doc.Seal != Hash(l.unsealed()) {
		l.Reference, l.Generator, l.Checker, l.Toolchain = "", "", "", ""
	}
	return l, nil
}

// Marshal returns the content of the lock file, which depends on l alone. Cases are sorted by group
// and name, so that moving a case within its file leaves the lock as it is. Each case has a line of
// its own without alignment, so that a changed output is a diff of one line. The hashes must be hex
// and the names those of cases, or Load refuses the result.
//
// The last line is a seal of those above it. Version control merges line by line, and so may put a
// case computed by an older reference below the hash of a newer one: the seal of such a lock is
// broken.
func (l *Lock) Marshal() []byte {
	text := l.unsealed()
	return fmt.Appendf(text, "seal: %s\n", Hash(text))
}

// knows reports whether the lock has a case of the group.
func (l *Lock) knows(group string) bool {
	for name := range l.Cases {
		if strings.HasPrefix(name, group+"/") {
			return true
		}
	}
	return false
}

// unsealed is Marshal without the seal.
func (l *Lock) unsealed() []byte {
	var b bytes.Buffer
	b.WriteString("# Written by judge regen; not for editing.\n")
	if l.Reference != "" {
		fmt.Fprintf(&b, "reference: %s\n", l.Reference)
	}
	if l.Generator != "" {
		fmt.Fprintf(&b, "generator: %s\n", l.Generator)
	}
	if l.Checker != "" {
		fmt.Fprintf(&b, "checker: %s\n", l.Checker)
	}
	if l.Toolchain != "" {
		// Go's escapes are valid in YAML, except those of bytes that are not UTF-8.
		fmt.Fprintf(&b, "toolchain: %q\n", strings.ToValidUTF8(l.Toolchain, "\uFFFD"))
	}
	if len(l.Cases) == 0 {
		b.WriteString("cases: {}\n")
		return b.Bytes()
	}
	b.WriteString("cases:\n")
	for _, name := range slices.SortedFunc(maps.Keys(l.Cases), compareNames) {
		c := l.Cases[name]
		var fields []string
		for _, field := range [][2]string{{"made", c.Made}, {"input", c.Input}, {"output", c.Output}} {
			if field[1] != "" {
				fields = append(fields, field[0]+": "+field[1])
			}
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
