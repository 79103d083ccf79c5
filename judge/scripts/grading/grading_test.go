// Package grading_test plays sessions about judging submissions: see testdata. They stand in
// packages of their own so that go test runs them side by side, and each has its own time.
package grading_test

import (
	"os"
	"testing"

	"tribunal/judge/internal/scripttest"
)

func TestMain(m *testing.M) { os.Exit(scripttest.Main(m)) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
