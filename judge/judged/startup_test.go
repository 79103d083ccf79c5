//go:build linux

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/broker"
)

// The service is also started on a ledger that it must not trust ([TestUnreadableLedger]), on a full disk
// (TestFullDisk of package broker), and with a wrong clock (TestWrongClock of package service).

// TestHalfRestored starts the service on a folder in which streams are missing. It says which, and makes nothing.
func TestHalfRestored(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		lost  []string
		fresh bool // no service has been there
		want  string
	}{
		{"the ledger is missing", []string{"ledger"}, false, "opening JetStream: tribunal-ledger is missing, and there is tribunal-settings: half a backup"},
		{"the tokens are", []string{"tokens"}, false, "tribunal-tokens is missing, and there is tribunal-ledger, tribunal-settings: half a backup"},
		{"only the ledger is there", []string{"tokens", "blobs", "settings"}, false, "tribunal-tokens, tribunal-blobs, tribunal-settings is missing, and there is tribunal-ledger: half a backup"},
		{"a token was made before the first start", []string{"ledger", "blobs", "settings"}, true, ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			visit(t, dir, func(js jetstream.JetStream) {
				subjects := []string{"tribunal.ledger.ledger", "tribunal.settings.proofs", "tribunal.tokens.x"}
				if tt.fresh {
					subjects = subjects[2:]
				}
				for _, subject := range subjects {
					if _, err := js.Publish(t.Context(), subject, []byte(`{"v":1,"at":"2030-01-01T00:00:00Z","began":{}}`)); err != nil {
						t.Fatal(err)
					}
				}
				for _, name := range tt.lost {
					if err := js.DeleteStream(t.Context(), "tribunal-"+name); err != nil {
						t.Fatal(err)
					}
				}
			})
			server, err := broker.Start(broker.Embedded{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Shutdown()
			nc, err := server.Connect("")
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			_, err = broker.Open(t.Context(), nc, broker.Options{})
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (!errors.Is(err, broker.ErrIncomplete) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
			js, err := jetstream.New(nc)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tt.lost {
				if _, err := js.Stream(t.Context(), "tribunal-"+name); tt.want != "" && !errors.Is(err, jetstream.ErrStreamNotFound) {
					t.Errorf("it has made %s, which cannot be restored any more: %v", name, err)
				}
			}
		})
	}
}

// TestOthersFolder looks at folders that a service cannot use, as a user without special rights.
func TestOthersFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		edit func(dir string) error
		want string
	}{
		{"it may use all", func(string) error { return nil }, ""},
		{"a file of another user", func(dir string) error { return os.Chmod(filepath.Join(dir, "nats", "1.blk"), 0o444) }, `--data: open \S+/nats/1.blk: permission denied \(hint: everything in it belongs to .*: chown -R \S+ \S+\)`},
		{"a folder of another user", func(dir string) error { return os.Chmod(filepath.Join(dir, "nats"), 0o555) }, `--data: write \S+/nats: permission denied \(hint: .*chown`},
		{"the folder itself", func(dir string) error { return os.Chmod(dir, 0o555) }, `--data: write \S+: permission denied \(hint: .*chown`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("/tmp", "others-") // that of the test may be in a folder that others cannot enter
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := errors.Join(os.Chmod(dir, 0o700), os.Chmod(filepath.Join(dir, "nats"), 0o700), os.RemoveAll(dir)); err != nil {
					t.Error(err)
				}
			})
			err = errors.Join(os.Chmod(dir, 0o777), os.Mkdir(filepath.Join(dir, "nats"), 0o777), os.Chmod(filepath.Join(dir, "nats"), 0o777),
				os.WriteFile(filepath.Join(dir, "nats", "1.blk"), nil, 0o666), os.Chmod(filepath.Join(dir, "nats", "1.blk"), 0o666), tt.edit(dir))
			if err != nil {
				t.Fatal(err)
			}
			err = asUser(t, func() error { return usable(dir) })
			if got := ""; err != nil {
				got = err.Error()
				if tt.want == "" || !regexp.MustCompile(tt.want).MatchString(got) {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			} else if tt.want != "" {
				t.Errorf("no error, want %s", tt.want)
			}
		})
	}
}

// asUser does something with the rights of an ordinary user.
func asUser(t *testing.T, do func() error) error {
	t.Helper()
	if os.Getuid() != 0 {
		return do()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever: the thread ends with this function
		const nobody = 65534
		if _, _, n := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); n != 0 {
			done <- n
			return
		}
		done <- do()
	}()
	return <-done
}

// TestReadOnlyFolder starts the service on a disk that was mounted for reading.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("startup", dir, "tmpfs", syscall.MS_RDONLY, "size=1m"); err != nil {
		t.Skipf("not checked: this user cannot mount a disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	for _, args := range [][]string{{"serve", "--data", dir, "--no-worker", "--listen", "127.0.0.1:0"}, {"token", "create", "--data", dir, "--owner", "me", "--scopes", "read"}} {
		var out, errs bytes.Buffer
		code := execute(t.Context(), args, &out, &errs)
		if want := "judged: --data: write " + dir + ": read-only file system (hint: give a folder that this user may write)\n"; code != exitUsage || errs.String() != want || out.Len() > 0 {
			t.Errorf("exit code %d, want %d\n%s%swant %s", code, exitUsage, &out, &errs, want)
		}
	}
}
