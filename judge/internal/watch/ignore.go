package watch

import (
	"path/filepath"
	"strings"
)

// temporary reports whether to ignore a file or folder because of its name: it belongs to an
// editor, to version control, or to a judge that is writing. Temporary files of other names need no
// rule, because they appear and vanish within one batch.
func temporary(name string) bool {
	switch name {
	case ".git", ".hg", ".jj", ".svn":
		return true
	case "4913": // vim: a file made to see which owner new files get
		return true
	}
	switch ext := filepath.Ext(name); {
	case strings.HasSuffix(name, "~"): // backups of vim, emacs, nano, gedit
	case strings.HasPrefix(name, ".#"): // emacs: a dangling link that names the user who edits the file
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"): // emacs: autosaved text
	case strings.HasPrefix(name, ".") && len(ext) == 4 && strings.HasPrefix(ext, ".sw"): // swap files of vim, nano
	case strings.HasSuffix(name, "___jb_tmp___"), strings.HasSuffix(name, "___jb_old___"): // JetBrains: the new file, and the old one
	case strings.HasPrefix(name, ".goutputstream-"): // gedit: the new file
	case strings.HasPrefix(name, ".nfs"): // NFS: a file that was removed while open
	case strings.HasPrefix(name, ".regen"): // judge regen: new case files
	default:
		return false
	}
	return true
}
