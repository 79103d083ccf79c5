// Gate runs go test for .ci/run, and says what the go command does not: how many tests passed, what was not checked
// and why, what the tests cost, and whether a test failed because of the host.
//
//	gate test [flags] -- [go test flags] packages...
//
// A test that fails is run once more, alone. If it passes then, it is named as sensitive to the host, and the gate
// stays open; if it fails again, the status is 1.
//
//	gate cost [go test flags] packages...
//
// prints the CPU seconds of each test with all its processes, which needs control groups that this user may write.
//
//	gate mutants [-seed N] [-count N] [-short] ./folder...
//
// changes one place at a time in packages, at random, and says which changes the tests of the package notice.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "test":
			return testCommand(args[1:])
		case "cost":
			return costCommand(args[1:])
		case "mutants":
			return mutantsCommand(args[1:])
		case wrapped:
			return wrap(args[1:])
		case measured:
			return measure(args[1:])
		}
	}
	fmt.Fprintln(os.Stderr, "gate: want a command: test, cost or mutants (hint: go doc ./internal/gate)")
	return 2
}

// testCommand is gate test.
func testCommand(args []string) int {
	flags := flag.NewFlagSet("gate test", flag.ContinueOnError)
	sensitive := flags.String("sensitive", "", "`file` that lists the tests known to be sensitive to the host, each with the reason")
	unchecked := flags.String("unchecked", "", "`file` that lists what a host with all tools does not check; anything else is an error")
	counts := flags.String("counts", "", "`file` with the most that the tests of each package may start, build and run")
	update := flags.Bool("update", false, "rewrite the files of -unchecked and -counts")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	g := &gate{out: os.Stdout}
	code, err := g.test(flags.Args(), files{*sensitive, *unchecked, *counts, *update})
	if err != nil {
		fmt.Fprintf(os.Stderr, "gate: %v\n", err)
		return 2
	}
	return code
}
