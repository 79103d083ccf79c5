package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/internal/checktestdata"
	"tribunal/judge/internal/doctor"
)

// TestMain makes the test binary act as the processes that the judge starts from its own binary,
// the init process of a sandbox among them, and as the command judge, which tests and scripts run.
func TestMain(m *testing.M) {
	doctor.Attack()
	checktestdata.Main()
	testscript.Main(m, map[string]func(){"judge": main, "peak": peak})
}
