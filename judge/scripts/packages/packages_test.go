// Package packages_test plays sessions about problem packages: see testdata. They stand in
// packages of their own so that go test runs them side by side, and each has its own time.
package packages_test

import (
	"os"
	"testing"

	"tribunal/judge/internal/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.Main(m)) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
