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
// of cases/<id>/lock.yaml. It is made of content alone, and says the same on every
// machine. The zero Lock knows nothing.
type Lock struct {
	// Reference and Generator are hashes, in lower-case hex, of the sources and flags
	// of the programs that the outputs and the generated inputs were made by. "" is
	// unknown: no generator, cases by several, or a lock whose seal does not fit.
	Reference string
	Generator string
	// Checker is the hash of how outputs are judged: the way to compare, and the sources and
	// flags of the program that decides, if there is one. Every expectation has been
	// accepted that way. "" is byte by byte, or unknown.
	Checker   string
	Toolchain string // that built them, one line; "" is unknown
	Cases     map[string]LockCase
}

// LockCase is what the lock says about one case. Empty hashes are unknown.
type LockCase struct {
	Made   string // [Case.Made]
	Input  string // [Hash] of the input
	Output string // [Hash] of the expected output
	Bytes  int64  // size of an output of which the lock alone knows; 0 when it stands in the case file
}

// lockDocument is a lock file. It keeps the order and lines of its cases.
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

// Hash returns the hash by which a lock knows some bytes: the first 16 bytes of
// their SHA-256 in lower-case hex.
func Hash(b []byte) string { return HashOf(sha256.Sum256(b)) }

// HashOf is Hash for bytes of which the SHA-256 is known.
func HashOf(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:16]) }

// Made returns the hash of what the expectation depends on besides the input that stands in
// the file: what the generator is told, arguments and seed, and the case's own arguments,
// files and ways to be judged. "" is nothing.
func (c *Case) Made() string {
	var text []byte // in which a quoted argument cannot run into the next
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

// readLock reads a lock file and returns its text as well; a missing one is an empty
// lock, and no text.
func readLock(file string) (*Lock, []byte, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return &Lock{Cases: map[string]LockCase{}}, nil, nil
	}
	data, err := yamlstrict.Read(file)
	if err != nil {
		return nil, nil, err
	}
	l, err := parseLock(file, data)
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok && !bytes.ContainsRune(data, '\r') { // which is not of this file alone
		e.Hint = "nobody edits it: restore it, or take either side of a merge, and run judge regen"
	}
	return l, data, err
}

// parseLock reads the content of a lock file; the file itself is not opened.
// Every failure is a [*yamlstrict.Error]. Cases that no case file has are kept. A seal
// that does not fit is none: what the cases were made by is forgotten then.
func parseLock(file string, data []byte) (*Lock, error) {
	var doc lockDocument
	if err := yamlstrict.Decode(file, data, &doc); err != nil {
		return nil, err
	}
	l := &Lock{Reference: doc.Reference, Generator: doc.Generator, Checker: doc.Checker, Toolchain: doc.Toolchain, Cases: make(map[string]LockCase, len(doc.Cases))}
	for _, e := range doc.Cases {
		group, name, _ := strings.Cut(e.Key, "/")
		if !groupName.MatchString(group) || !groupName.MatchString(name) {
			return nil, &yamlstrict.Error{File: file, Line: e.Line, Msg: fmt.Sprintf("%q is not the name of a case", e.Key), Hint: "names are group/name"}
		}
		l.Cases[e.Key] = LockCase(e.Value)
	}
	if doc.Seal != Hash(l.unsealed()) {
		l.Reference, l.Generator, l.Checker, l.Toolchain = "", "", "", ""
	}
	return l, nil
}

// Marshal returns the content of the lock file. It depends on l alone: cases are
// in the order of their groups, and within a group by name, so that moving a
// case within its file leaves the lock as it is. One case a line and no columns
// to align: a changed output is a diff of one line. The hashes must be hex and
// the names those of cases, or Load refuses the result.
//
// The last line is a seal on those above it. Version control merges line by line, and
// may put a case that an older reference made below the name of a newer one: such a
// lock must not vouch for it.
func (l *Lock) Marshal() []byte {
	text := l.unsealed()
	return fmt.Appendf(text, "seal: %s\n", Hash(text))
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
		// Go's escapes are YAML's, but for bytes that are no text.
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
