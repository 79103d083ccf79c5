// Package operations_test runs the scripts in testdata about starting, ending, securing and losing the
// service, with the real program.
package operations_test

import (
	"os"
	"testing"

	"tribunal/judge/cli/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.Main(m, "tribunal/judge/judged")) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
