// Package yamlstrict decodes one YAML document strictly, with located errors.
//
// Begin with Decode; parse.go refuses what no document may contain, decode.go fills the values,
// rules.go reads the tags, and schema.go writes the JSON Schema.
package yamlstrict

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"strings"
)

// MaxFile is the size in bytes above which a document is refused without being read.
const MaxFile = 64 << 20

// maxDepth is how deep lists and mappings may nest. Our documents need five levels.
const maxDepth = 32

// Error is one fault of a document.
type Error struct {
	File string
	Line int    // from 1; 0 if the error is not about one line
	Msg  string // what is wrong, on one line
	Hint string // what to do about it; may be empty
	Err  error  // the cause: the system's error, if the file could not be read, or a typed error
}

func (e *Error) Unwrap() error { return e.Err }

// Error returns "file:line: msg (hint: hint)" on one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(e.Line))
	}
	if b.Len() > 0 { // a value from no file, such as a default, has no location
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		b.WriteString(" (hint: ")
		b.WriteString(e.Hint)
		b.WriteByte(')')
	}
	return b.String()
}

// Read returns the content of a file of at most [MaxFile] bytes. Every failure is an [*Error] that
// names the file.
func Read(file string) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &Error{File: file, Msg: "not a regular file"} // opening a named pipe could block for ever
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, FileError(file, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > MaxFile {
		return nil, tooLarge(file)
	}
	// The file may have grown since Stat.
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, FileError(file, err)
	}
	return data, checkSize(file, data)
}

// FileError returns err, from opening or reading a file or folder, as an [*Error]
// that names the path once.
func FileError(path string, err error) *Error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &Error{File: path, Msg: err.Error(), Err: err}
}

func checkSize(file string, data []byte) error {
	if len(data) > MaxFile {
		return tooLarge(file)
	}
	return nil
}

func tooLarge(file string) *Error {
	return &Error{File: file, Msg: fmt.Sprintf("larger than %d MiB", MaxFile>>20),
		Hint: "generate large inputs instead of writing them down"}
}

// Decode parses the one document in data into the struct that into points to. It returns the first
// fault as an [*Error] located in file, a name that is used for messages only; then part of into
// may be filled.
//
// Struct fields take their rules from tags:
//
//	yaml:"key,required"   the key must be there
//	yaml:"key,word"       a plain scalar of any kind is taken as the text written
//	yaml:"key,nonempty"   an empty text, list or mapping is refused
//	doc:"…"               what the value means, for hints and for [Schema]
//	enum:"a,b"            the allowed texts
//	pattern:"…"           a regular expression that the whole text must match
//	min:"…" max:"…"       bounds of a number or quantity, written as in the document
//	oneof:"group"         exactly one of the fields of a group must be there
//	needs:"a,b"           keys that must be there if this one is
//
// All but nonempty apply to the items of a list or a mapping too. Fields without a yaml tag are
// not changed, except for fields of type [Place], which Decode sets.
//
// A field may be a string, bool, integer, float64, [time.Duration], a type with UnmarshalText, a
// struct, a pointer (nil if the key is absent), a slice, an array (a list of exactly that length),
// a map with string keys, or a [Map], which keeps the order. An absent key leaves its field alone,
// so callers set defaults before decoding. Null is never a value.
//
// Strings are exact: a plain 12, true or 2001-01-01 is not a string unless the field is a word.
// Integers are plain decimal, because YAML would read 010 as 8. Anchors, aliases, merge keys and
// tags are refused, and so are bytes that YAML readers change or count differently: CR, Unicode's
// line ends, byte order marks, control characters and invalid UTF-8.
//
// Decode is safe for concurrent use. It panics if into or a tag is unusable.
func Decode(file string, data []byte, into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("yamlstrict: cannot decode into %T", into))
	}
	root, err := parse(file, data)
	if err != nil {
		return err
	}
	d := decoder{file: file}
	return d.value(root, v.Elem(), &rules{}, "")
}

// Place is the location of a mapping and its keys in the file. [Decode] sets struct fields of this
// type. The zero Place has no file and no lines.
type Place struct {
	file string
	line int
	flow bool
	keys []keyLine
}

type keyLine struct {
	key  string
	line int
}

// Line returns the line on which the mapping begins.
func (p Place) Line() int { return p.line }

// Flow reports whether the mapping is written in braces.
func (p Place) Flow() bool { return p.flow }

func (p Place) Has(key string) bool {
	for _, k := range p.keys {
		if k.key == key {
			return true
		}
	}
	return false
}

// LineOf returns the line of the key, or that of the mapping if it has no such key.
func (p Place) LineOf(key string) int {
	for _, k := range p.keys {
		if k.key == key {
			return k.line
		}
	}
	return p.line
}

// Errorf returns an error located at the key, or at the mapping if it has no such key. The hint may
// be empty.
func (p Place) Errorf(key, hint, format string, args ...any) *Error {
	return &Error{File: p.file, Line: p.LineOf(key), Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Map is a mapping in the order of the document.
type Map[T any] []Entry[T]

// Entry is one key of a [Map] with its value.
type Entry[T any] struct {
	Key   string
	Value T
	Line  int // line of the key
}

// ordered marks a slice of entries as a mapping for the decoder, which knows types only by
// reflection.
func (Map[T]) ordered() {}
