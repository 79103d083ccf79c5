//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestBrand checks that a dead judge's daemon, which has left the session that the record names, is found by its
// brand, and that a process of another brand is left alone.
func TestBrand(t *testing.T) {
	t.Parallel()
	exe := compileC(t, `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int n,char**arg){
	struct rlimit l={strtoul(arg[1],0,10),strtoul(arg[1],0,10)};
	if(setrlimit(RLIMIT_LOCKS,&l)) return 1;
	if(fork()) return 0;
	setsid(); if(fork()) _exit(0);
	alarm(100); printf("%d\n",getpid()); fflush(stdout);
	for(;;) pause();
}`)
	daemon := func(b brand) int {
		cmd := exec.Command(exe.Name(), fmt.Sprint(uint64(b)))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		if _, err := fmt.Fscan(out, &pid); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Kill(pid, unix.SIGKILL); _ = cmd.Wait() })
		return pid
	}
	ours, others := newBrand(), newBrand()
	if ours == 0 || ours == others || newBrand() >= 1<<63 {
		t.Fatalf("brands %d and %d", ours, others)
	}
	alive, gone := daemon(others), daemon(ours)
	first, err := readStat(alive)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "record"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const nobody = 1 << 30 // no process has such a number
	if err := (sessionRecord{file}).set(nobody, first, ours); err != nil {
		t.Fatal(err)
	}
	endSession(file.Name())
	if stat, err := readStat(gone); err == nil && !stat.dead {
		t.Error("a daemon of the recorded run is left")
	}
	if stat, err := readStat(alive); err != nil || stat.dead {
		t.Errorf("a daemon of another run was killed: %v", err)
	}
}
