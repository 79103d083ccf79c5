//go:build linux

package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// planter is a program that leaves files in its folder that a careless judge would stumble over.
// Its argument is the path of a file of the host.
const planter = `#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
static void text(const char*name,const char*t){ int f=open(name,O_WRONLY|O_CREAT|O_EXCL,0600); if(f<0) perror(name); write(f,t,strlen(t)); close(f); }
int main(int c,char**v){
	char dir[4096]; strcpy(dir,v[1]); *strrchr(dir,'/')=0;
	text("plain","left");
	mkdir("sub",0700); text("sub/file","below");
	mkdir("locked",0700); text("locked/file","locked away"); chmod("locked/file",0); chmod("locked",0);
	symlink(v[1],"link"); symlink(dir,"folder-link"); symlink("plain","own-link"); symlink("sub","own-folder-link");
	symlink("/proc/self/fd/0","magic"); symlink("loop","loop"); symlink("/proc/1/root","init");
	mkfifo("pipe",0666);
	struct sockaddr_un a={AF_UNIX,"socket"}; bind(socket(AF_UNIX,SOCK_STREAM,0),(void*)&a,sizeof a);
	mkdir("links",0700); char here[4096]; getcwd(here,sizeof here); strcat(here,"/plain");
	symlink("../plain","links/beside"); symlink(here,"links/whole"); symlink("beside","links/chain"); symlink("../locked/file","links/locked");
	symlink(v[1],"links/host"); symlink("../../../../../../../../etc/passwd","links/up"); symlink("/etc/passwd","links/root");
	symlink("../sub","links/folder"); symlink("loop","links/loop"); symlink("gone","links/gone"); symlink("/proc/self/fd/0","links/magic");
	symlink("../folder-link/secret","links/through"); symlink("../init/etc/passwd","links/init"); symlink("../pipe","links/pipe");
	link("plain","hard");
	unlink("replaced"); symlink(v[1],"replaced");
	int f=open("sparse",O_WRONLY|O_CREAT,0600); ftruncate(f,200<<20); close(f);
	mkdir("deep",0700);
	int d=open("deep",O_RDONLY);
	for(int i=0;i<150;i++){ mkdirat(d,"d",0700); int n=openat(d,"d",O_RDONLY); close(d); d=n; }
	mkdir("many",0700); char b[64];
	for(int i=0;i<50;i++){ sprintf(b,"many/%d",i); text(b,"x"); }
	return 0;
}`

// TestRemains copies out, by name, the files that a program has left.
func TestRemains(t *testing.T) {
	exe := compileC(t, planter)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the judge's own"), 0o644); err != nil {
		t.Fatal(err)
	}
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{Dir: "/check", Folder: Folder{Path: "/check", Size: 16 * limits.MiB, Mode: 0o777}})
		if _, err := b.Remains(); err == nil {
			t.Error("there are remains of no run")
		}
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p", secret}, Exe: exe, Limits: usual, FolderFiles: []File{
			{Name: "shown", Mode: 0o444, Data: []byte("shown")},
			{Name: "replaced", Mode: 0o444, Data: []byte("shown as well")},
		}})
		if err != nil || r.Stop != Exited || r.ExitCode != 0 || r.FolderFull {
			t.Fatalf("%+v, %v", r, err)
		}
		left, err := b.Remains()
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			why, name, text string
			err             error
		}{
			{"a file", "plain", "left", nil},
			{"a file in a folder", "sub/file", "below", nil},
			{"a file and a folder without permissions", "locked/file", "locked away", nil},
			{"a hard link to a file", "hard", "left", nil},
			{"nothing", "nothing", "", fs.ErrNotExist},
			{"a file as a folder", "plain/file", "", fs.ErrNotExist},
			{"a link to a file of the host", "link", "", ErrNotFile},
			{"the same in the place of what it was shown", "replaced", "", ErrNotFile},
			{"a file through a link to a folder of the host", "folder-link/secret", "", fs.ErrNotExist},
			{"a link to a file beside it", "own-link", "", ErrNotFile},
			{"a file through a link to a folder beside it", "own-folder-link/file", "", fs.ErrNotExist},
			{"a link to the judge's own input", "magic", "", ErrNotFile},
			{"a link to itself", "loop", "", ErrNotFile},
			{"a link into /proc", "init/etc/passwd", "", fs.ErrNotExist},
			{"a pipe, which would keep the judge waiting", "pipe", "", ErrNotFile},
			{"a socket", "socket", "", ErrNotFile},
			{"a folder", "sub", "", ErrNotFile},
			{"upwards", "../../../../../../etc/passwd", "", fs.ErrInvalid},
			{"an absolute path", "/etc/passwd", "", fs.ErrInvalid},
			{"the folder itself", ".", "", ErrNotFile},
			{"nested too deep", "deep" + strings.Repeat("/d", 150), "", fs.ErrInvalid},
		} {
			text, err := left.Read(tt.name, limits.KiB)
			if string(text) != tt.text || !errors.Is(err, tt.err) {
				t.Errorf("%s: %q, %v, want %q, %v", tt.why, text, err, tt.text, tt.err)
			}
		}
		if text, err := left.Read("sparse", limits.KiB); len(text) != int(limits.KiB) || err != nil {
			t.Errorf("of a file of 200 MiB: %d bytes, %v, want at most the requested size", len(text), err)
		}
		for _, tt := range []struct {
			folder string
			bounds Bounds
			err    string
		}{
			{"sub", Bounds{5, 1}, ""},
			{"sub", Bounds{4, 1}, "left files of more than 4"},
			{"locked", Bounds{limits.KiB, 1}, ""},
			{"many", Bounds{limits.MiB, 50}, ""},
			{"many", Bounds{limits.MiB, 49}, "left more than 49 files"},
			{"many", Bounds{49, 100}, "left files of more than 49"},
			{"deep", Bounds{limits.MiB, 1000}, "left folders that are more than 100 deep"},
			{".", Bounds{199 * limits.MiB, 1000}, "left "}, // the sparse file or the deep folder, whichever comes first
			{"none", Bounds{}, ""},
			{"folder-link", Bounds{}, "not a regular file"},
			{"pipe", Bounds{}, "not a regular file"},
		} {
			message := ""
			err := left.Walk(tt.folder, tt.bounds, func(name string, info fs.FileInfo, data io.Reader) error {
				if !info.IsDir() {
					_, err := io.Copy(io.Discard, data)
					return err
				}
				return nil
			})
			if err != nil {
				message = err.Error()
			}
			if !strings.Contains(message, tt.err) || (message == "") != (tt.err == "") {
				t.Errorf("all below %s within %+v: %q, want %q", tt.folder, tt.bounds, message, tt.err)
			}
		}
		found := map[string]string{}
		if err := left.Walk("links", Bounds{limits.MiB, 100}, func(name string, _ fs.FileInfo, data io.Reader) error {
			text, err := io.ReadAll(data)
			found[name] = string(text)
			return err
		}); err != nil {
			t.Error(err)
		}
		if want := map[string]string{"beside": "left", "whole": "left", "chain": "left", "locked": "locked away"}; !maps.Equal(found, want) {
			t.Errorf("links read as %q, want only those to files beside them: %q", found, want)
		}
		if text, err := os.ReadFile(secret); string(text) != "the judge's own" {
			t.Errorf("the file of the host: %q, %v", text, err)
		}
		// The next run finds none of these files.
		r, err = b.Run(t.Context(), Command{Args: []string{"/w/p", secret}, Exe: exe, Limits: usual, FolderFiles: []File{
			{Name: "link", Mode: 0o444, Data: []byte("shown")},
		}})
		if err != nil || r.ExitCode != 0 {
			t.Fatalf("the next run: %+v, %v", r, err)
		}
	})
}

// TestRemainsReplaced copies a file out while it is being replaced with a symbolic link, a pipe or
// a folder, as a program that outlives its run in rlimit mode could do.
func TestRemainsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(secret, []byte("the judge's own"), 0o644); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	left := NewRemains(open, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		name, folder := filepath.Join(dir, "file"), filepath.Join(dir, "folder")
		for {
			for _, plant := range []func(){
				func() { os.WriteFile(name, []byte("left"), 0o644) },
				func() { os.Symlink(secret, name) },
				func() { unix.Mkfifo(name, 0o644) },
				func() { os.Mkdir(name, 0o755) },
				func() { os.Mkdir(folder, 0o755); os.WriteFile(folder+"/file", []byte("left"), 0o644) },
				func() { os.Symlink(filepath.Dir(secret), folder) },
			} {
				select {
				case <-stop:
					return
				default:
				}
				plant()
				os.RemoveAll(name)
				os.RemoveAll(folder)
			}
		}
	}()
	for range 1500 {
		for _, name := range []string{"file", "folder/file"} {
			text, err := left.Read(name, limits.KiB)
			if err == nil && string(text) != "left" && string(text) != "" { // empty before it is written
				t.Errorf("%s: %q", name, text)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNotFile) {
				t.Errorf("%s: %v", name, err)
			}
		}
		err := left.Walk(".", Bounds{limits.MiB, 100}, func(name string, info fs.FileInfo, data io.Reader) error {
			if info.IsDir() {
				return nil
			}
			if text, err := io.ReadAll(data); err != nil || string(text) != "left" && string(text) != "" {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
}

// TestPlanted writes files at paths where a program that outlived its run has planted something:
// nothing may be written through it.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		plant func(name, secret string) error
	}{
		{"a link to a file", func(name, secret string) error { return os.Symlink(secret, name) }},
		{"a link to nothing yet", func(name, secret string) error { return os.Symlink(secret+"-new", name) }},
		{"a hard link to a file", func(name, secret string) error { return os.Link(secret, name) }},
		{"a pipe", func(name, _ string) error { return unix.Mkfifo(name, 0o666) }},
		{"a folder", func(name, _ string) error { return os.Mkdir(name, 0o755) }},
		{"a socket", func(name, _ string) error {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name})
			if err == nil {
				l.SetUnlinkOnClose(false)
				err = l.Close()
			}
			return err
		}},
	} {
		dir, err := os.MkdirTemp("", "p") // short, because the path of a socket must be
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		secrets, err := os.MkdirTemp("", "p") // on the same file system, for a hard link
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(secrets)
		secret := filepath.Join(secrets, "secret")
		if err := errors.Join(os.WriteFile(secret, []byte("the judge's own"), 0o600), tt.plant(filepath.Join(dir, "input"), secret)); err != nil {
			t.Fatal(err)
		}
		open, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := place(open, []File{{Name: "input", Mode: 0o666, Data: []byte("written")}}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v, want an error because it exists", tt.why, err)
		}
		open.Close()
		info, err := os.Stat(secret)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 15 {
			t.Errorf("%s: the file of the host is %v of %d bytes, %v", tt.why, info.Mode(), info.Size(), err)
		}
		if all, err := os.ReadDir(secrets); len(all) != 1 || err != nil {
			t.Errorf("%s: %d files of the host, %v", tt.why, len(all), err)
		}
	}
	// A symbolic link in the place of a folder is not followed either.
	dir, secrets := t.TempDir(), t.TempDir()
	if err := os.Symlink(secrets, filepath.Join(dir, "folder")); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := place(open, []File{{Name: "folder/input", Mode: 0o666}}); err == nil {
		t.Error("wrote through a link to a folder")
	}
	if all, err := os.ReadDir(secrets); len(all) != 0 || err != nil {
		t.Errorf("%d files of the host, %v", len(all), err)
	}
}

// TestUnreadableEntries visits entries of a folder that cannot be opened.
func TestUnreadableEntries(t *testing.T) {
	t.Parallel()
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	w := walker{remains: NewRemains(dir, "/check")}
	for _, tt := range []struct {
		why, name, full string
		want            string // "" if the walk goes on
	}{
		{"one that has been removed meanwhile", "gone", "sub/gone", ""},
		{"one that the kernel refuses", strings.Repeat("n", 256), "sub/long", "open sub/long: file name too long"},
		{"a path that is too long", "gone", strings.Repeat("n", maxPath+1), "paths of more than 1000 bytes"},
	} {
		if err := w.visitEntry(dir, tt.name, tt.full, 1); (err == nil) != (tt.want == "") || err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.want)
		}
	}
}

// TestFull checks a program that fills the Folder of its box.
func TestFull(t *testing.T) {
	exe := compileC(t, `#include <fcntl.h>
#include <unistd.h>
int main(){ static char b[1<<20]; int f=open("file",O_WRONLY|O_CREAT,0600); for(int i=0;i<20;i++) if(write(f,b,sizeof b)<(int)sizeof b) break; for(;;) usleep(100000); }`)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{Dir: "/check", Folder: Folder{Path: "/check", Size: 4 * limits.MiB, Mode: 0o777}})
		l := usual
		l.Wall = time.Second
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: l})
		if err != nil || !r.FolderFull {
			t.Errorf("%+v, %v", r, err)
		}
		if h.mode == Rlimit && r.Stop != OverOutput {
			t.Errorf("%v, want it stopped before it fills the disk", r.Stop)
		}
	})
}
