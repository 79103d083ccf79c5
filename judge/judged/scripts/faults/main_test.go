// Package faults tests the service under faults, with real processes on this host: NATS servers, services
// and workers, each killed, stopped, cut off or slowed down while submissions come in.
//
// Whatever happens, each submission that was acknowledged gets exactly one verdict, the right one, and
// all services agree. Begin with schedule_test.go. A step such as "kill worker0 1s" is a fault, what it
// hits, and how long it lasts.
package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"
)

// roleVariable makes the test binary act in the role that it holds, instead of running tests.
const roleVariable = "JUDGED_FAULTS_ROLE"

func TestMain(m *testing.M) {
	text := os.Getenv(roleVariable)
	if text == "" {
		crowd()
		os.Exit(m.Run())
	}
	var r role
	err := json.Unmarshal([]byte(text), &r)
	if err == nil {
		err = r.act()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crowd lets more tests run at a time than this host has CPUs, unless the caller says how many: they wait
// more than they work.
func crowd() {
	flag.Parse()
	usual := true
	flag.Visit(func(f *flag.Flag) { usual = usual && f.Name != "test.parallel" })
	if usual {
		_ = flag.Set("test.parallel", fmt.Sprint(3*runtime.GOMAXPROCS(0)))
	}
}

// role is the part that a process plays. One of its fields is set.
type role struct {
	Node    *node    `json:",omitempty"`
	Service *judged  `json:",omitempty"`
	Worker  *laborer `json:",omitempty"`
}

// act acts until the test tells the process to end, or has ended itself.
func (r role) act() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			clock.set(lines.Text())
		}
		os.Exit(1) // the test has ended, in whatever way
	}()
	switch {
	case r.Node != nil:
		g.Go(func() error { return r.Node.run(ctx) })
	case r.Service != nil:
		g.Go(func() error { return r.Service.run(ctx) })
	case r.Worker != nil:
		g.Go(func() error { return r.Worker.run(ctx) })
	}
	return g.Wait()
}

// ready tells the test that this process can be used, and at which addresses.
func ready(addresses ...string) { fmt.Println(strings.Join(addresses, " ")) }
