// Package grading_test runs the scripts in testdata that judge submissions. The scripts are
// divided into several packages so that go test runs them in parallel, each package with its own
// timeout.
package grading_test

import (
	"os"
	"testing"

	"tribunal/judge/cli/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.Main(m)) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
