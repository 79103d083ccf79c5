package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/yamlstrict"
)

// Kind is a kind of files of JSON objects, one on a line, that outlast an interrupt. The first line is
// a [document.Head].
type Kind struct {
	Schema string // of the head; the name changes if a field is dropped or changes its meaning
	Name   string // what messages call such a file, such as "a journal"
}

// ErrEnd says that a line closes a file; new lines replace it.
var ErrEnd = errors.New("the last line")

// Lines is an open file of lines. No other process can open it meanwhile. It is not safe for
// concurrent use.
type Lines struct {
	kind    Kind
	name    string
	file    *os.File
	head    document.Head
	cut     bool
	created bool  // by Open
	end     int64 // where the first new line goes
	begun   bool  // the file ends there, and has a head
}

// Open opens a file of lines, which it makes if there is none. If the file holds something, resume must
// be set: then each gets the lines after the head, and new lines follow the last whole one. If each
// returns [ErrEnd], that must be the last line, which new lines replace; any other error says that the
// line is none of this kind. The file stays as it is until the first line is added. The error of Open is
// a [*yamlstrict.Error] if the user is to blame. The caller closes the lines.
func (k Kind) Open(name string, resume bool, each func(line []byte) error) (*Lines, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	created := err == nil
	if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644) // creates the target of a symbolic link
	}
	if err != nil {
		return nil, unusable(name, err, "name a file that can be written")
	}
	l := &Lines{kind: k, name: name, file: f, created: created}
	if err := l.open(resume, each); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// start returns how each file of the kind starts.
func (k Kind) start() []byte { return fmt.Appendf(nil, `{"schema":%q,`, k.Schema) }

// unusable returns err, from opening a file, with a hint.
func unusable(name string, err error, hint string) error {
	e := yamlstrict.FileError(name, err)
	e.Hint = hint
	return e
}

func (l *Lines) open(resume bool, each func(line []byte) error) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &yamlstrict.Error{File: l.name, Msg: "not a regular file", Hint: "name another one"}
	}
	if err := system.Flock(l.file, system.Exclusive|system.NoWait); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return &yamlstrict.Error{File: l.name, Msg: "another judge writes to it", Hint: "wait for it, or name another file"}
		}
		return err
	}
	if info.Size() > 0 && !resume {
		return &yamlstrict.Error{File: l.name, Msg: "holds what an earlier judging has found", Hint: "--resume goes on with it; or name another file"}
	}
	end, whole, err := l.read(each)
	if err != nil {
		return err
	}
	l.cut, l.end = whole < info.Size(), end
	if end == 0 {
		l.head = document.NewHead(l.kind.Schema)
	}
	return nil
}

// begin makes the file end where the first new line goes.
func (l *Lines) begin() error {
	if err := l.file.Truncate(l.end); err != nil {
		return err
	}
	if _, err := l.file.Seek(l.end, io.SeekStart); err != nil {
		return err
	}
	l.begun = true
	if l.end > 0 {
		return nil
	}
	err := l.write(true, []any{l.head})
	l.begun = err == nil
	return err
}

// Read calls each with the lines after the head of a file, as [Kind.Open] does, and ignores a last line
// that is not whole. hint says which files can be read. Its errors are as of Open.
func (k Kind) Read(name, hint string, each func(line []byte) error) error {
	f, err := regular.OpenAny(name)
	if err != nil {
		return unusable(name, err, hint)
	}
	defer f.Close()
	_, _, err = (&Lines{kind: k, name: name, file: f}).read(each)
	return err
}

// read reads the lines. It returns where new lines go, which is before a line that closes the file, and where the
// last whole line ends.
func (l *Lines) read(each func(line []byte) error) (end, whole int64, err error) {
	r := bufio.NewReader(l.file)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		cut := errors.Is(err, io.EOF)
		if err != nil && !cut {
			return end, whole, err
		}
		bad := func(msg string) error {
			return &yamlstrict.Error{File: l.name, Line: n, Msg: msg, Hint: "without this file, judging begins anew"}
		}
		if start := l.kind.start(); cut && n == 1 && !bytes.HasPrefix(line, start[:min(len(start), len(line))]) {
			return end, whole, bad("not " + l.kind.Name)
		}
		if cut {
			return end, whole, nil // a line without its end was not written whole
		}
		closed := end < whole
		whole += int64(len(line))
		switch {
		case closed:
			return end, whole, bad("more lines after the last of " + l.kind.Name)
		case n > 1:
			err = each(line)
		case json.Unmarshal(line, &l.head) != nil || l.head.Schema == "":
			return end, whole, bad("not " + l.kind.Name)
		case l.head.Schema != l.kind.Schema:
			return end, whole, bad(fmt.Sprintf("%s of another version, %s instead of %s", l.kind.Name, l.head.Schema, l.kind.Schema))
		}
		switch {
		case err == nil:
			end = whole
		case !errors.Is(err, ErrEnd):
			return end, whole, bad("not an entry of " + l.kind.Name)
		}
	}
}

// Cut reports whether the file ended in the middle of a line, which new lines replace.
func (l *Lines) Cut() bool { return l.cut }

// Judge returns the build of the judge that began the file.
func (l *Lines) Judge() string { return l.head.Judge }

// Append writes an object with the fields of all parts, which is on disk when Append returns. If that
// fails, the file is as before.
func (l *Lines) Append(parts ...any) error {
	return l.write(true, parts)
}

// AppendSoon is like Append, but the line may be lost in a power cut before the next Append or Close.
func (l *Lines) AppendSoon(parts ...any) error {
	return l.write(false, parts)
}

func (l *Lines) write(sync bool, parts []any) error {
	if !l.begun {
		if err := l.begin(); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	var line bytes.Buffer
	if err := document.Line(&line, parts...); err != nil {
		return err
	}
	at, err := l.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err = l.file.Write(line.Bytes()); err == nil && sync {
		err = l.file.Sync()
	}
	if err != nil { // such as a full disk: what was written of the line must not stay
		_, back := l.file.Seek(at, io.SeekStart)
		err = errors.Join(yamlstrict.FileError(l.name, err).Err, l.file.Truncate(at), back)
		return fmt.Errorf("%s: %w (hint: free some space, or name a file on another disk)", l.name, err)
	}
	return nil
}

// Close closes the file, which other processes can open then. It removes the file if Open made it and
// nothing was added.
func (l *Lines) Close() error {
	var err error
	if l.created && !l.begun {
		err = os.Remove(l.name)
	}
	return errors.Join(err, l.file.Sync(), system.Flock(l.file, system.Unlock), l.file.Close())
}
