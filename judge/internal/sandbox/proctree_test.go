//go:build linux

package sandbox

import (
	"fmt"
	"os/exec"
	"testing"

	"tribunal/judge/internal/limits"
)

// TestUnstartedProgramHasNoMemory checks a process between its fork and its execve, which still
// shows the memory of its parent: that of the judge if it is the program, that of the program if it
// is a child of the program.
func TestUnstartedProgramHasNoMemory(t *testing.T) {
	t.Parallel()
	exe := compileC(t, `#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(){
	volatile char*p=malloc(32<<20); for(int i=0;i<32<<20;i+=4096) p[i]=1;
	int pid=fork(); if(!pid){ prctl(PR_SET_PDEATHSIG,SIGKILL); for(;;) pause(); }
	printf("%d\n",pid); fflush(stdout); for(;;) pause();
}`)
	cmd := exec.Command(exe.Name())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	if memory := (&tree{proc: "/proc", root: child}).used().memory; memory != 0 {
		t.Errorf("a program that has not started uses %v", memory)
	}
	if memory := (&tree{proc: "/proc", root: cmd.Process.Pid}).used().memory; memory < 64*limits.MiB {
		t.Errorf("a program of 32 MiB and its child use %v", memory)
	}
}
