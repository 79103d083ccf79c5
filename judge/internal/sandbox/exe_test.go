//go:build linux

package sandbox

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestExecutableNextToInput starts a program whose executable has the descriptor number after that
// of its input, which the forked child could overwrite.
func TestExecutableNextToInput(t *testing.T) {
	const input, program = 500, 501 // numbers that no other file has
	exe := compileC(t, hello)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for from, to := range map[*os.File]int{null: input, exe: program} {
		if err := unix.Dup3(int(from.Fd()), to, unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
	}
	stdin, exe := os.NewFile(input, "input"), os.NewFile(program, "program")
	defer stdin.Close()
	defer exe.Close()
	modes(t, func(t *testing.T, h *Host) {
		r, err := box(t, h, Spec{}).Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Stdin: stdin, Limits: usual})
		if err != nil || r.Stop != Exited {
			t.Errorf("%+v %v", r, err)
		}
	})
}
