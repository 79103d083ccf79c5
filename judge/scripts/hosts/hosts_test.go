// Package hosts_test runs the scripts in testdata about the interaction of the judge with its
// host. The scripts are divided into several packages so that go test runs them in parallel,
// each package with its own timeout.
package hosts_test

import (
	"os"
	"testing"

	"tribunal/judge/cli/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.Main(m)) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
