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

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/regular"
)

// UnfitError reports that a file or folder is not a submission: a file in no known language, an
// empty folder, a damaged executable. The contestant is to blame, not the user of the judge.
type UnfitError struct{ Err error }

func (e *UnfitError) Error() string { return e.Err.Error() }
func (e *UnfitError) Unwrap() error { return e.Err }

// userError reports that the user of the judge named something that does not exist.
type userError struct{ error }

func (e userError) Unwrap() error { return e.error }

// UnreadError reports that a submission cannot be read, because of its permissions or because a
// disk or network failed.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }
func (e *UnreadError) Unwrap() error { return e.Err }

func userErrorf(format string, args ...any) error { return userError{fmt.Errorf(format, args...)} }

// errNothing is returned for an empty name, which would otherwise mean the working directory.
var errNothing = userErrorf("a submission without a name (hint: an argument is empty; is a shell variable not set?)")

// Errors of the system that a submission's file can cause. Other errors, such as a lack of
// descriptors, are failures of the judge.
var (
	// unfit lists the errors that are due to the submission itself.
	unfit = []syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG,
		syscall.ENXIO, syscall.ENODEV, syscall.EINVAL, syscall.EILSEQ, syscall.EFBIG, syscall.EOVERFLOW, syscall.ETXTBSY,
	}
	// unread lists the errors that prevent the judge from reading the submission.
	unread = []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EIO, syscall.ESTALE, syscall.ENOTCONN, syscall.ETIMEDOUT}
)

// classify returns s if err is nil. Otherwise it returns an [UnfitError] if the content is wrong,
// an [UnreadError] if it cannot be read, and other errors unchanged.
func classify(s *Source, err error) (*Source, error) {
	if err == nil {
		return s, nil
	}
	if _, done := errors.AsType[*UnfitError](err); done {
		return nil, err
	}
	if _, unclear := errors.AsType[*UnclearError](err); unclear {
		return nil, err
	}
	if _, ok := errors.AsType[userError](err); ok {
		return nil, err
	}
	errno, ok := errors.AsType[syscall.Errno](err)
	switch {
	case errno == syscall.EACCES, errno == syscall.EPERM:
		return nil, &UnreadError{fmt.Errorf("%w (hint: the judge's user must be able to read it)", err)}
	case ok && slices.Contains(unread, errno):
		return nil, &UnreadError{err}
	case ok && !slices.Contains(unfit, errno):
		return nil, err
	}
	return nil, &UnfitError{err}
}

// Submission reads a contestant's submission like [Open], but the submission's errors do not
// prevent the judging of others. A file or folder that is not a submission becomes a source that is
// [Source.Refused] and is judged as a compile error. One that cannot be read becomes a source for
// which [Builder.Build] returns the [*UnreadError], and an archive or a folder that may be several programs one for
// which it returns the [*UnclearError]. problem is the id of the problem, like which the main file may
// be called; "" if it is not known. Submission itself returns an error only if the
// user named something that does not exist, or if the judge fails.
//
// Submission follows a symbolic link only to a regular file below the folder of the link or below
// the working directory, because it could lead to any file that the judge may read. This holds even
// if the contestant replaces files meanwhile.
func Submission(name, language, problem string, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	return HandedIn(name, func() (*Source, error) {
		return classify(open(&Source{Name: name, Language: language, problem: problem}, openHandedIn, languages))
	})
}

// HandedIn is like [Submission] for a source that open reads. The errors of open must begin with
// the name.
func HandedIn(name string, open func() (*Source, error)) (*Source, error) {
	s, err := open()
	if unread, ok := errors.AsType[*UnreadError](err); ok {
		return &Source{Name: name, terms: terms{unread: unread}}, nil
	}
	unclear, ok := errors.AsType[*UnclearError](err)
	if e, unknown := errors.AsType[*ExtensionError](err); unknown && e.packed != "" {
		unclear, ok = &UnclearError{name, quote.Line("no source, but there is " + e.packed + " (hint: take the program out of it)")}, true
	}
	if ok {
		return &Source{Name: name, terms: terms{unclear: unclear}}, nil
	}
	unfit, ok := errors.AsType[*UnfitError](err)
	if !ok {
		return s, err
	}
	why := unfit.Error()
	if rest, ok := strings.CutPrefix(why, name+": "); ok {
		why = rest
	} else if inside, ok := strings.CutPrefix(why, name+string(filepath.Separator)); ok {
		why = inside
	}
	return (&Source{Name: name}).Refused(quote.Line(why)), nil
}

// openHandedIn opens a contestant's file or folder. For a symbolic link that is not followed, see
// [regular.OpenGiven], the error is an [UnfitError].
func openHandedIn(name string) (*os.File, fs.FileInfo, error) {
	f, info, err := regular.OpenGiven(name)
	if link, ok := errors.AsType[*regular.LinkError](err); ok {
		err = &UnfitError{fmt.Errorf("%w (hint: submit what it leads to)", link)}
	}
	return f, info, err
}
