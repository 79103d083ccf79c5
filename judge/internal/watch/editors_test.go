package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
)

// editors lists how programs save the existing file src/main.go, as shell commands that run in src.
var editors = []struct{ name, save string }{
	{"vim", "echo >.main.go.swp; echo >.main.go.swx; rm .main.go.swx; echo >4913; chmod 644 4913; rm 4913; mv main.go main.go~; echo new >main.go; chmod 644 main.go; rm main.go~ .main.go.swp"},
	{"vim, keeps the backup", "echo >4913; rm 4913; mv main.go main.go~; echo new >main.go; chmod 644 main.go; echo >.main.go.un~"},
	{"vim, backupcopy=yes", "cp -p main.go main.go~; : >main.go; echo new >main.go; rm main.go~"},
	{"emacs, first save", "ln -s user@host.1:2 '.#main.go'; echo >'#main.go#'; mv main.go main.go~; echo new >main.go; chmod 644 main.go; rm '#main.go#' '.#main.go'"},
	{"emacs, later saves", "ln -s user@host.1:2 '.#main.go'; : >main.go; echo new >main.go; rm '.#main.go'"},
	{"emacs, numbered backups", "mv main.go main.go.~1~; echo new >main.go"},
	{"JetBrains", "echo new >main.go___jb_tmp___; mv main.go main.go___jb_old___; mv main.go___jb_tmp___ main.go; rm main.go___jb_old___"},
	{"VS Code", ": >main.go; printf n >>main.go; echo ew >>main.go"},
	{"VS Code, atomically", "echo new >main.go.8f3a.tmp; chmod 644 main.go.8f3a.tmp; mv main.go.8f3a.tmp main.go"},
	{"nano", "echo >.main.go.swp; : >main.go; echo new >main.go; rm .main.go.swp"},
	{"nano, with a backup", "cp -p main.go main.go~; : >main.go; echo new >main.go"},
	{"gedit", "echo new >.goutputstream-X1Y2Z3; ln main.go main.go~; mv .goutputstream-X1Y2Z3 main.go"},
	{"kate", "echo new >main.go.AbCdEf; chmod 644 main.go.AbCdEf; mv main.go.AbCdEf main.go"},
	{"sed -i", "echo new >sedXw8Z1q; chmod 644 sedXw8Z1q; mv sedXw8Z1q main.go"},
	{"sed -i, the real one", "sed -i s/old/new/ main.go"},
	{"gofmt -w", "cp main.go main.go.294587; printf 'new\n' 1<>main.go; rm main.go.294587"},
	{"renameio", "echo new >.main.go4113952; chmod 644 .main.go4113952; mv .main.go4113952 main.go"},
	{"git checkout", "mkdir -p .git; echo >.git/index.lock; rm main.go; echo new >main.go; mv .git/index.lock .git/index"},
	{"rsync", "echo new >.main.go.k2Jd8s; touch -d @1 .main.go.k2Jd8s; mv .main.go.k2Jd8s main.go"},
	{"cp -p over it", "echo new >../t; touch -r main.go ../t; cp -p ../t main.go"},
	{"by hand", "rm main.go; echo new >main.go"},
}

// TestEditors checks that a save is reported as a change of the saved file only, however an editor
// saves.
func TestEditors(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		for _, e := range editors {
			t.Run(mode.name+"/"+e.name, func(t *testing.T) {
				t.Parallel()
				d := newTestFolder(t)
				d.do("mkdir src; echo old >src/main.go; chmod 644 src/main.go")
				d.watch(Options{Quiet: 30 * time.Millisecond, Poll: mode.poll}, "src")
				for range 2 { // the second time, the editor's backup files are not new
					d.do("echo old >src/main.go")
					d.changes()
					d.do("cd src; rm -f *~; " + e.save)
					d.wantSaved("src/main.go")
				}
			})
		}
	}
}

// wantSaved checks that only file is reported, and that it has been saved completely.
func (d *testFolder) wantSaved(file string) {
	d.t.Helper()
	if got := strings.Join(d.changes(), " "); got != file {
		d.t.Errorf("got %s, want %s", got, file)
	}
	text, err := os.ReadFile(filepath.Join(d.dir, file))
	if err != nil || string(text) != "new\n" {
		d.t.Errorf("%s has settled as %q (%v)", file, text, err)
	}
}

func TestRealVim(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "how vim saves", "vim")
	for _, set := range []string{"backupcopy=auto", "backupcopy=no", "backupcopy=yes", "backup", "nowritebackup", "undofile"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			d := newTestFolder(t)
			d.do("mkdir src; echo old >src/main.go")
			d.watch(Options{Quiet: 30 * time.Millisecond}, "src")
			d.do("cd src; vim -es -u NONE -i NONE -c 'set nocompatible swapfile directory=. backupdir=. undodir=. " + set + "' -c 's/old/new/' -c 'wq' main.go")
			d.wantSaved("src/main.go")
		})
	}
}

func TestRealEmacs(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "how emacs saves", "emacs")
	d := newTestFolder(t)
	d.do("mkdir src; echo old >src/main.go")
	d.watch(Options{Quiet: 30 * time.Millisecond}, "src")
	d.do(`emacs -Q --batch src/main.go --eval '(progn (while (search-forward "old" nil t) (replace-match "new")) (save-buffer))'`)
	d.wantSaved("src/main.go")
}

// TestRealGit runs a checkout that removes and creates folders and rewrites files, and checks that
// exactly the files that differ are reported.
func TestRealGit(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "how git checks out", "git")
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			d := newTestFolder(t)
			d.do(`git init -q -b one .; git config user.name x; git config user.email x@x
				for i in 1 2 3 4 5 6 7 8 9; do mkdir -p r/$i/sub; echo $i >r/$i/main.go; echo $i >r/$i/sub/f; done
				git add r; git commit -qm one; git checkout -qb two
				git mv r/1 r/one; git rm -qr r/2; echo two >r/3/main.go; mkdir r/new; echo >r/new/f
				git add r; git commit -qm two; git checkout -q one`)
			d.watch(Options{Quiet: 30 * time.Millisecond, Poll: mode.poll}, "r")
			const differ = "r/1/main.go r/1/sub/f r/2/main.go r/2/sub/f r/3/main.go r/new/f r/one/main.go r/one/sub/f"
			for _, do := range []string{"git checkout -q two", "git checkout -q one"} {
				d.do(do)
				if got := strings.Join(d.changes(), " "); got != differ {
					t.Errorf("%s: got %s, want %s", do, got, differ)
				}
			}
			d.do("echo stashed >r/4/main.go; git stash -q; git stash pop -q")
			if got := strings.Join(d.changes(), " "); got != "r/4/main.go" {
				t.Errorf("git stash: got %s, want r/4/main.go", got)
			}
		})
	}
}
