package watch

import (
	"path/filepath"
	"strings"
)

// temporary reports whether a file or folder of that name is not a user's work: editors make it for
// themselves, version control keeps it, or a judge is writing it. Temporary files of other names
// appear and vanish within a batch.
func temporary(name string) bool {
	switch name {
	case ".git", ".hg", ".jj", ".svn":
		return true
	case "4913": // vim creates it to see what a new file's owner would be
		return true
	}
	switch ext := filepath.Ext(name); {
	case strings.HasSuffix(name, "~"): // backups of vim, emacs, nano, gedit
	case strings.HasPrefix(name, ".#"): // emacs: who edits the file, a dangling link
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"): // emacs: unsaved work
	case strings.HasPrefix(name, ".") && len(ext) == 4 && strings.HasPrefix(ext, ".sw"): // swap of vim, nano
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"): // JetBrains: the new file, the old
	case strings.HasPrefix(name, ".goutputstream-"): // gedit: the new file
	case strings.HasPrefix(name, ".nfs"): // removed on a network file system while open
	case strings.HasPrefix(name, ".regen"): // expectations on their way into the case files
	default:
		return false
	}
	return true
}
