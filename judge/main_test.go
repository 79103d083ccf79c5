package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/internal/checktestdata"
	"tribunal/judge/internal/doctor"
	"tribunal/judge/internal/sandbox"
)

// A container's first process is this same binary started anew, and so is the
// doctor's attacker: the test binary, like the judge, must be ready to be them
// before it looks at anything else. To those who start judge it is that, too.
func TestMain(m *testing.M) {
	sandbox.Init()
	doctor.Attack()
	checktestdata.Main()
	testscript.Main(m, map[string]func(){"judge": main})
}
