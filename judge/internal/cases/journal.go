package cases

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/system"
	"tribunal/judge/internal/yamlstrict"
)

// Several files change together: outputs, and the lock with their hashes. A kill must leave all of
// them old or all of them new. So the new texts are first written into a folder, which becomes the
// journal by a rename. Before the rename nothing has changed; after it the next reader or writer
// completes the journal. Writers hold an exclusive flock of the case folder and readers a shared
// one, so that a reader never sees half of a change.
const (
	journalFolder = ".regen"     // folder with the new texts and the list of them
	stagePrefix   = ".regen.tmp" // prefix of the folder of a journal in preparation, or of a completed one
	journalList   = "list"       // name of the list; case files end in .yaml
	absent        = "-"          // in place of the hash of a file that does not exist
)

// Edit is the change of one file in a case folder.
type Edit struct {
	Path string // of the file
	Old  []byte // the text that was read; nil if the file did not exist
	Text []byte // the new text
}

// Changes reports whether the edit changes anything.
func (e *Edit) Changes() bool { return !bytes.Equal(e.Old, e.Text) }

// Replace makes all edits of files in cases/<id> below root, or none of them: if it is killed,
// [Read] and [Load] see either all new texts or all old ones. It writes nothing if a file has
// changed since it was read, even one that its edit leaves as it is; a file that already holds its
// new text is fine, because another regeneration may have been first. A file keeps its permissions
// and, as far as this user may set it, its owner. Symbolic links are refused.
func Replace(root, id string, edits []Edit) error {
	j := journal{dir: filepath.Join(root, "cases", id)}
	return j.replace(edits)
}

// Edits returns an edit for each file that was read, with the text unchanged: the case files in
// case order, then the lock. The caller owns the list.
func (s *Set) Edits() []Edit { return slices.Clone(s.read) }

// journal writes into one folder.
type journal struct {
	dir  string
	step func() // called after every change to the disk, if not nil
}

func (j *journal) path(name ...string) string {
	return filepath.Join(append([]string{j.dir}, name...)...)
}

// do calls step if err is nil, and returns err.
func (j *journal) do(err error) error {
	if err == nil && j.step != nil {
		j.step()
	}
	return err
}

func (j *journal) replace(edits []Edit) error {
	lock, err := lockWithin(j.dir, system.Exclusive, lockPatience)
	if err != nil {
		return lockError(j.dir, err)
	}
	defer lock.Close()
	if err := j.finish(interrupted); err != nil {
		return err
	}
	var changing []Edit
	for _, e := range edits {
		now, err := fingerprint(e.Path)
		if err != nil {
			return yamlstrict.FileError(e.Path, err)
		}
		switch info, err := os.Lstat(e.Path); {
		case now == fingerprintOf(e.Text):
		case now != fingerprintOf(e.Old):
			return &yamlstrict.Error{File: e.Path, Msg: "changed while the outputs were computed", Hint: "run it again"}
		case err == nil && info.Mode().Type() == fs.ModeSymlink:
			return &yamlstrict.Error{File: e.Path, Msg: "a symbolic link, and outputs are not written through links: nothing is written",
				Hint: "put the file itself there; the folder of a problem's cases may be a link"}
		default:
			changing = append(changing, e)
		}
	}
	if len(changing) == 0 {
		return nil
	}
	if err := j.stage(changing); err != nil {
		e := yamlstrict.FileError(j.dir, err)
		e.Msg = "nothing is written: " + e.Msg
		return e
	}
	return j.finish(atWork)
}

// stage writes the texts and turns them into the journal. If it fails, nothing has changed.
func (j *journal) stage(edits []Edit) error {
	stage, err := os.MkdirTemp(j.dir, stagePrefix+"-")
	if err != nil {
		return err
	}
	var list strings.Builder
	err = j.do(os.Chmod(stage, 0o755))
	uid, gid := ownerOf(j.dir)
	_ = os.Chown(stage, uid, gid) // without the right to do so, the folder keeps its owner
	for _, e := range edits {
		name := filepath.Base(e.Path)
		fmt.Fprintf(&list, "%s %s %s\n", fingerprintOf(e.Old), fingerprintOf(e.Text), name)
		if err == nil {
			err = j.do(writeFile(filepath.Join(stage, name), e.Text, modeOf(e.Path), e.Path, j.dir))
		}
	}
	if err == nil {
		err = j.do(writeFile(filepath.Join(stage, journalList), []byte(list.String()), 0o644, j.dir))
	}
	if err == nil {
		err = syncFolder(stage)
	}
	if err == nil {
		err = j.do(os.Rename(stage, j.path(journalFolder)))
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(stage))
	}
	return syncFolder(j.dir)
}

// The values of the argument when of finish.
const (
	interrupted = "after a regeneration was interrupted"
	atWork      = "while the outputs were written"
)

// finish moves the texts of the journal, if there is one, to their places, and removes the journal.
// A file with neither its old nor its new text was edited by a person in the meantime: it stays as
// it is, and the error reports it once. when is the part of the message that says when it was
// edited.
func (j *journal) finish(when string) error {
	if _, err := os.Lstat(j.path(journalFolder)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	list, err := os.ReadFile(j.path(journalFolder, journalList))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without a list, no writer made this folder: it is removed below
		return j.unfinished(err)
	}
	var edited string
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != filepath.Base(fields[2]) {
			return &yamlstrict.Error{File: j.path(journalFolder, journalList), Msg: fmt.Sprintf("damaged: %.80q", strings.TrimSpace(line)),
				Hint: "remove the folder, and run judge regen " + filepath.Base(j.dir)}
		}
		path := j.path(fields[2])
		now, err := fingerprint(path)
		if err != nil {
			return j.unfinished(err)
		}
		switch now {
		case fields[1]:
		case fields[0]:
			if err := j.do(os.Rename(j.path(journalFolder, fields[2]), path)); err != nil {
				return j.unfinished(err)
			}
		default:
			edited = path
		}
	}
	if err := syncFolder(j.dir); err != nil {
		return j.unfinished(err)
	}
	// Remove the journal by one rename, so that no reader finds a journal with some texts missing.
	done := j.path(stagePrefix + "-done")
	if err := errors.Join(os.RemoveAll(done), j.do(os.Rename(j.path(journalFolder), done)), j.do(os.RemoveAll(done))); err != nil {
		return j.unfinished(err)
	}
	if edited != "" {
		return &yamlstrict.Error{File: edited, Msg: "edited " + when + ": it stays as it is, the other files are written",
			Hint: "look at it, and run judge regen " + filepath.Base(j.dir)}
	}
	return nil
}

func (j *journal) unfinished(err error) error {
	e := yamlstrict.FileError(j.dir, err)
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		e.Msg = link.Err.Error()
	}
	e.Msg = "a regeneration was interrupted, and cannot be finished: " + e.Msg
	e.Hint = "as a user who may write there, run judge regen " + filepath.Base(j.dir)
	return e
}

// fingerprint returns the hash of a file's content, or absent.
func fingerprint(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	return Hash(text), nil
}

func fingerprintOf(text []byte) string {
	if text == nil {
		return absent
	}
	return Hash(text)
}

// modeOf returns the permissions of a file, or those of a new one.
func modeOf(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

// ownerOf returns the owner of the first path that exists, or -1 and -1 if none does.
func ownerOf(paths ...string) (uid, gid int) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			return system.Owner(info)
		}
	}
	return -1, -1
}

// writeFile writes and syncs a new file, owned by the owner of the first of the paths that exists.
func writeFile(path string, text []byte, mode fs.FileMode, like ...string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_ = f.Chown(ownerOf(like...))
	_, err = f.Write(text)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
