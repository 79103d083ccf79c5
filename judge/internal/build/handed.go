package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/regular"
)

// UnfitError reports that what was handed in is no submission: a file of no language, an
// empty folder, a damaged executable. It is about what the contestant did, and not about
// what the user of the judge asked for.
type UnfitError struct{ Err error }

func (e *UnfitError) Error() string { return e.Err.Error() }
func (e *UnfitError) Unwrap() error { return e.Err }

// askedError reports that the user asked for what there is not.
type askedError struct{ error }

func (e askedError) Unwrap() error { return e.error }

// UnreadError reports that what was handed in cannot be read, so that nothing is known
// about it: this user may not, or a disk or a network does not return it.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }
func (e *UnreadError) Unwrap() error { return e.Err }

// asked returns an error about what the user asked for.
func asked(format string, args ...any) error { return askedError{fmt.Errorf(format, args...)} }

// errNothing is the error for an empty name, which [filepath.Clean] would make the working
// folder.
var errNothing = asked("a submission without a name (hint: an argument is empty; is a variable of the shell not set?)")

// Errors of the system about a file of a submission. Others, such as a lack of descriptors,
// are about the judge.
var (
	// theirs are those that the submission itself is the reason for.
	theirs = []syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG,
		syscall.ENXIO, syscall.ENODEV, syscall.EINVAL, syscall.EILSEQ, syscall.EFBIG, syscall.EOVERFLOW, syscall.ETXTBSY,
	}
	// unread are those that leave open what the submission is.
	unread = []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EIO, syscall.ESTALE, syscall.ENOTCONN, syscall.ETIMEDOUT}
)

// judged returns a source that was read, an error about its content as an [UnfitError], and
// one of reading it as an [UnreadError].
func judged(s *Source, err error) (*Source, error) {
	if err == nil {
		return s, nil
	}
	if _, done := errors.AsType[*UnfitError](err); done {
		return nil, err
	}
	if _, ok := errors.AsType[askedError](err); ok {
		return nil, err
	}
	errno, ok := errors.AsType[syscall.Errno](err)
	switch {
	case errno == syscall.EACCES, errno == syscall.EPERM:
		return nil, &UnreadError{fmt.Errorf("%w (hint: the judge's user must be able to read it)", err)}
	case ok && slices.Contains(unread, errno):
		return nil, &UnreadError{err}
	case ok && !slices.Contains(theirs, errno):
		return nil, err
	}
	return nil, &UnfitError{err}
}

// Submission reads what a contestant handed in, as [Open] does. If that is no submission,
// what it returns is one that is [Source.Refused], so that it is judged, as a compile
// error, beside the others; if it cannot be read, building it is an [*UnreadError]. The
// errors that are left are those of the user, who named what does not exist, or of the
// judge.
//
// A contestant's link is followed only to a regular file below the folder that holds the
// link or below the working folder: it could lead to any file that the judge may read.
// This holds while the contestant exchanges files.
func Submission(name, language string, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	return HandedIn(name, func() (*Source, error) {
		return judged(open(&Source{Name: name, Language: language}, openHandedIn, languages))
	})
}

// HandedIn is [Submission] for what open reads, the errors of which begin with the name.
func HandedIn(name string, open func() (*Source, error)) (*Source, error) {
	s, err := open()
	if unread, ok := errors.AsType[*UnreadError](err); ok {
		return &Source{Name: name, terms: terms{unread: unread}}, nil
	}
	unfit, ok := errors.AsType[*UnfitError](err)
	if !ok {
		return s, err
	}
	words := unfit.Error()
	if rest, ok := strings.CutPrefix(words, name+": "); ok {
		words = rest
	} else if inside, ok := strings.CutPrefix(words, name+string(filepath.Separator)); ok {
		words = inside
	}
	return (&Source{Name: name}).Refused(words), nil
}

// openHandedIn opens what a contestant handed in. It is an [UnfitError] for a link that
// leads to anything but a regular file below the folder that holds it or below the working
// folder.
func openHandedIn(name string) (*os.File, fs.FileInfo, error) {
	f, info, err := regular.OpenPlain(name)
	if !errors.Is(err, syscall.ELOOP) {
		return f, info, err
	}
	refuse := func(what string) (*os.File, fs.FileInfo, error) {
		return nil, nil, &UnfitError{fmt.Errorf("%s: %s (hint: hand in the file itself)", name, what)}
	}
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("a link to nothing")
	}
	if err != nil {
		return refuse("a link that cannot be followed")
	}
	if info, err := os.Lstat(target); err != nil || !info.Mode().IsRegular() {
		return refuse("a link to what is no regular file")
	}
	for _, folder := range []string{filepath.Dir(name), "."} {
		if top, rel, ok := below(target, folder); ok {
			return openBelow(top, rel)
		}
	}
	return refuse("a link that leads out of its folder and of the working folder")
}

// openBelow opens a file that was seen below a folder, and no other, whatever is there now.
func openBelow(folder, rel string) (*os.File, fs.FileInfo, error) {
	dir, _, err := regular.OpenPlain(folder)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	root, err := regular.Root(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	f, info, err := regular.OpenPlainIn(root, rel)
	if err == nil && info.IsDir() {
		f.Close()
		err = regular.ErrChanged
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = regular.ErrChanged
	}
	return f, info, err
}

// below returns the path of a folder without links and that of a file relative to it, and
// whether the file lies below the folder.
func below(file, folder string) (top, rel string, ok bool) {
	real := func(path string) (string, error) {
		path, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		return filepath.EvalSymlinks(path)
	}
	file, err := real(file)
	if err != nil {
		return "", "", false
	}
	if top, err = real(folder); err != nil {
		return "", "", false
	}
	rel, err = filepath.Rel(top, file)
	return top, rel, err == nil && filepath.IsLocal(rel)
}
