//go:build linux

package sandbox

import (
	"bytes"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// TestFiles checks that a run finds its files in the folder where it starts, and that the next run
// does not.
func TestFiles(t *testing.T) {
	exe := compileC(t, `#include <stdio.h>
static void show(const char*name){
	char b[64]; FILE*f=fopen(name,"r"); if(!f) { printf("no %s\n",name); return; }
	if(fgets(b,64,f)) fputs(b,stdout); fclose(f);
}
int main(){ show("a"); show("in/ner/b"); show("large"); fclose(fopen("own","w")); }`)
	defer unix.Umask(unix.Umask(0o077)) // the judge's umask does not apply to its programs' files
	large := append([]byte("large\n"), bytes.Repeat([]byte("x"), int(16*limits.MiB))...)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for _, run := range []struct {
			why   string
			files map[string][]byte
			want  string
		}{
			{"none", nil, "no a\nno in/ner/b\nno large\n"},
			{"some files, the largest of which would exceed the memory limit if it counted", map[string][]byte{"a": []byte("A\n"), "in/ner/b": []byte("B\n"), "in/c": nil, "large": large}, "A\nB\nlarge\n"},
			{"others", map[string][]byte{"a": []byte("another\n")}, "another\nno in/ner/b\nno large\n"},
			{"none again", nil, "no a\nno in/ner/b\nno large\n"},
		} {
			var out bytes.Buffer
			l := usual
			l.Memory = 12 * limits.MiB
			r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Files: run.files, Limits: l, Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			if r.Stop != Exited || r.ExitCode != 0 || out.String() != run.want {
				t.Errorf("%s: %v %d with %v, output %q, want %q", run.why, r.Stop, r.ExitCode, r.Memory, out.String(), run.want)
			}
		}
	})
}

// TestReadOnly checks that a program in a read-only box can read its files and write none, and that
// the next run finds its own files.
func TestReadOnly(t *testing.T) {
	exe := compileC(t, `#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static void tried(const char*what,int r){
	if(r>=0) { printf("%s done\n",what); return; }
	if(errno==EROFS||errno==EACCES) printf("%s denied\n",what); else perror(what);
}
static void show(const char*name){
	char b[64]; FILE*f=fopen(name,"r"); if(!f) { printf("no %s\n",name); return; }
	if(fgets(b,64,f)) fputs(b,stdout); fclose(f);
}
int main(int n,char**a){
	show("a"); show("in/ner/b");
	tried("create",open("own",O_CREAT|O_WRONLY,0666));
	tried("create by path",open(a[1],O_CREAT|O_WRONLY,0666));
	tried("change",open("a",O_WRONLY|O_TRUNC));
	tried("create below",open("in/ner/own",O_CREAT|O_WRONLY,0666));
	tried("folder",mkdir("own",0777));
	tried("link",symlink("/dev/null","own"));
	tried("rename",rename("a","b"));
	tried("remove",unlink("a"));
	tried("null",open("/dev/null",O_WRONLY));
	if(n>2) {
		tried("permissions",chmod(".",0777));
		tried("temporary",open("/tmp/own",O_CREAT|O_WRONLY,0666));
		tried("shared memory",open("/dev/shm/own",O_CREAT|O_WRONLY,0666));
	}
}`)
	const denied = "create denied\ncreate by path denied\nchange denied\ncreate below denied\nfolder denied\nlink denied\nrename denied\nremove denied\nnull done\n"
	const contained = "permissions denied\ntemporary denied\nshared memory denied\n"
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{ReadOnly: true})
		args, want := []string{"/w/p", b.Path("/w/other")}, denied
		if h.Mechanisms().Mode == Container {
			args, want = append(args, "contained"), denied+contained
		}
		for _, a := range []string{"A\n", "another\n"} {
			var out bytes.Buffer
			files := map[string][]byte{"a": []byte(a), "in/ner/b": []byte("B\n")}
			r, err := b.Run(t.Context(), Command{Args: args, Exe: exe, Files: files, Limits: usual, Stdout: &out, Stderr: &out})
			if err != nil {
				t.Fatal(err)
			}
			if want := a + "B\n" + want; r.Stop != Exited || out.String() != want {
				t.Errorf("%v, output %q, want %q", r.Stop, out.String(), want)
			}
		}
	})
}

// TestNoRoomForFiles checks that files that do not fit are the judge's failure, and that the box
// still works afterwards.
func TestNoRoomForFiles(t *testing.T) {
	exe := compileC(t, hello)
	h, why := OpenMode("polling")
	if why != "" {
		t.Skipf("not checked: %s", why)
	}
	defer h.Close()
	b := box(t, h, Spec{Temp: limits.MiB})
	for range 2 {
		files := map[string][]byte{"a": make([]byte, 2*limits.MiB)}
		if r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Files: files, Limits: usual}); err == nil {
			t.Errorf("ran although there is no room for its files: %+v", r)
		}
		if r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual}); err != nil || r.Stop != Exited {
			t.Errorf("without files: %+v, %v", r, err)
		}
	}
}
