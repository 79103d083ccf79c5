//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fakeHost makes a file system of files, symbolic links ("a -> b") and folders ("a/").
func fakeHost(t *testing.T, entries ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, entry := range entries {
		name, target, link := strings.Cut(entry, " -> ")
		path := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch {
		case link:
			err = errors.Join(err, os.Symlink(target, path))
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		default:
			err = errors.Join(err, os.WriteFile(path, nil, 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// planned returns a layout's plan as text.
func planned(l *layout) string {
	binds, links := l.plan()
	for _, link := range links {
		binds = append(binds, link.Place+" -> "+link.Target)
	}
	return strings.Join(binds, "\n")
}

func TestLayout(t *testing.T) {
	t.Parallel()
	host := fakeHost(t,
		"bin -> usr/bin", "lib -> usr/lib", "usr/bin/tool-12", "usr/bin/tool -> tool-12", "usr/bin/alt -> /etc/alternatives/alt",
		"etc/alternatives/alt -> /usr/lib/alt/bin/alt", "usr/lib/alt/bin/alt", "usr/lib/alt/out -> /opt/out", "opt/out/x",
		"opt/up -> ../usr/lib", "loop -> loop", "broken -> nowhere", "all -> /")
	for _, tt := range []struct {
		why  string
		show []string
		want string // lines of the plan
	}{
		{"a folder", []string{"/usr/lib"}, "/usr/lib"},
		{"a folder by another spelling", []string{"/usr//lib/", "/usr/bin/../lib"}, "/usr/lib"},
		{"through a linked folder", []string{"/lib/alt"}, "/usr/lib/alt\n/lib -> usr/lib"},
		{"a link to a file beside it", []string{"/bin/tool"}, "/usr/bin/tool-12\n/bin -> usr/bin\n/usr/bin/tool -> tool-12"},
		{"a chain of absolute links", []string{"/usr/bin/alt"}, "/usr/lib/alt/bin/alt\n/etc/alternatives/alt -> /usr/lib/alt/bin/alt\n/usr/bin/alt -> /etc/alternatives/alt"},
		{"a relative link upwards", []string{"/opt/up/alt"}, "/usr/lib/alt\n/opt/up -> ../usr/lib"},
		{"a file in a shown folder is not shown again", []string{"/usr/bin/tool", "/usr/bin"}, "/usr/bin"},
		{"nor if the file is shown first", []string{"/usr/bin", "/usr/bin/tool"}, "/usr/bin"},
		{"a name with a shown folder's name as prefix", []string{"/usr/bin/tool-12", "/usr/bin/tool"}, "/usr/bin/tool-12\n/usr/bin/tool -> tool-12"},
		{"a link out of a shown folder: only its target must be added", []string{"/usr/lib", "/usr/lib/alt/out"}, "/opt/out\n/usr/lib"},
	} {
		l := &layout{host: host}
		for _, path := range tt.show {
			if err := l.show(path); err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
		}
		if got := planned(l); got != tt.want {
			t.Errorf("%s: %q is shown as\n%s\nwant\n%s", tt.why, tt.show, got, tt.want)
		}
	}
	for _, tt := range []struct {
		why, show string
		want      error // nil means any error
	}{
		{"nothing there", "/usr/nothing", fs.ErrNotExist},
		{"a link to nothing", "/broken", fs.ErrNotExist},
		{"a link to itself", "/loop", syscall.ELOOP},
		{"everything", "/", nil},
		{"everything, by a link", "/all", nil},
	} {
		l := &layout{host: host}
		if err := l.show(tt.show); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.why, err, tt.want)
		}
	}
}

// TestLibraries checks the ways in which distributions place their libraries.
func TestLibraries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		host []string
		want string // lines of the plan
	}{
		{"Debian: a folder per architecture", []string{
			"lib -> usr/lib", "lib64 -> usr/lib64", "usr/lib64/ld-linux-x86-64.so.2 -> /lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
			"usr/lib/x86_64-linux-gnu/libc.so.6", "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "usr/lib/python3/x", "usr/lib/locale/C.utf8/x", "usr/lib/locale/de/x", "etc/ld.so.cache",
		}, "/etc/ld.so.cache\n/usr/lib/locale/C.utf8\n/usr/lib/x86_64-linux-gnu\n/lib -> usr/lib\n/lib64 -> usr/lib64\n/usr/lib64/ld-linux-x86-64.so.2 -> /lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"},
		{"an older Debian on ARM: /lib is a folder of its own", []string{
			"lib/aarch64-linux-gnu/libc.so.6", "lib/aarch64-linux-gnu/ld-2.31.so", "lib/ld-linux-aarch64.so.1 -> aarch64-linux-gnu/ld-2.31.so", "usr/lib/aarch64-linux-gnu/libstdc++.so.6", "lib/modules/x",
		}, "/lib/aarch64-linux-gnu\n/usr/lib/aarch64-linux-gnu\n/lib/ld-linux-aarch64.so.1 -> aarch64-linux-gnu/ld-2.31.so"},
		{"Fedora: lib64", []string{
			"lib -> usr/lib", "lib64 -> usr/lib64", "usr/lib64/libc.so.6", "usr/lib64/ld-linux-x86-64.so.2", "usr/lib/python3.13/x", "usr/lib/jvm/x", "etc/ld.so.cache",
		}, "/etc/ld.so.cache\n/usr/lib64\n/lib64 -> usr/lib64"},
		{"Arch: lib64 is lib", []string{
			"lib -> usr/lib", "lib64 -> usr/lib", "usr/lib64 -> lib", "usr/lib/libc.so.6", "usr/lib/ld-linux-x86-64.so.2", "usr/lib/gcc/x",
		}, "/usr/lib\n/lib -> usr/lib\n/lib64 -> usr/lib\n/usr/lib64 -> lib"},
		{"Alpine: musl in lib, the rest in usr/lib", []string{
			"lib/ld-musl-x86_64.so.1", "lib/libc.musl-x86_64.so.1 -> ld-musl-x86_64.so.1", "usr/lib/libstdc++.so.6",
		}, "/lib\n/usr/lib"},
		{"Debian with musl beside glibc", []string{
			"lib -> usr/lib", "usr/lib/x86_64-linux-gnu/libc.so.6", "usr/lib/x86_64-linux-musl/libc.so", "usr/lib/ld-musl-x86_64.so.1 -> x86_64-linux-musl/libc.so",
		}, "/usr/lib/x86_64-linux-gnu\n/usr/lib/x86_64-linux-musl\n/lib -> usr/lib\n/usr/lib/ld-musl-x86_64.so.1 -> x86_64-linux-musl/libc.so"},
		{"a host without libraries", []string{"bin/busybox"}, ""},
	} {
		l := &layout{host: fakeHost(t, tt.host...)}
		for _, path := range libraries(l.host) {
			if err := l.show(path); err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
		}
		if got := planned(l); got != tt.want {
			t.Errorf("%s: the plan is\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestRootIsEmpty checks what a box without mounts shows.
func TestRootIsEmpty(t *testing.T) {
	exe := compileC(t, `#include <dirent.h>
#include <stdio.h>
#include <string.h>
int main(int n,char**a){for(int i=1;i<n;i++){DIR*d=opendir(a[i]);if(!d){printf("%s: none\n",a[i]);continue;}
for(struct dirent*e;(e=readdir(d));)if(e->d_name[0]!='.')printf("%s/%s\n",a[i],e->d_name);}return 0;}`)
	modes(t, func(t *testing.T, h *Host) {
		if h.mode == Rlimit {
			t.Skip("not checked: what a box shows in the mode rlimit, which shows everything")
		}
		b := box(t, h, Spec{})
		var out bytes.Buffer
		hidden := []string{"/usr/bin", "/usr/local", "/usr/share", "/usr/include", "/bin", "/home", "/root", "/var", "/sys", "/opt", "/etc/alternatives"}
		r, err := b.Run(t.Context(), Command{Args: append([]string{"/w/p", "/", "/usr", "/etc"}, hidden...), Exe: exe, Limits: usual, Stdout: &out})
		if err != nil || r.Stop != Exited || r.ExitCode != 0 {
			t.Fatalf("%+v %v", r, err)
		}
		for _, dir := range hidden {
			if !strings.Contains(out.String(), dir+": none\n") {
				t.Errorf("%s is there", dir)
			}
		}
		for line := range strings.Lines(out.String()) {
			switch line = strings.TrimSpace(line); {
			case strings.HasSuffix(line, ": none"), strings.HasPrefix(line, "//lib"), strings.HasPrefix(line, "/usr/lib"):
			case line == "//usr", line == "//etc", line == "//dev", line == "//proc", line == "//tmp", line == "//w", line == "/etc/ld.so.cache":
			default:
				t.Errorf("a program sees %s", line)
			}
		}
	})
}
