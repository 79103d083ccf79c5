// Package gauge measures on this host what the steps of the service cost, for package scale.
//
// It makes calls of a step from several callers at once: the time for each call is how long the call keeps
// a server busy. Calls one after the other take longer, and the difference is the delay of the step.
// Callers and servers share this host, so servers on hosts of their own are faster than what is measured.
package gauge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/scale"
	"tribunal/judge/judged/internal/store"
)

// Measure measures the constants of this host, which should do nothing else meanwhile, in about a minute. It writes
// files to dir, which the caller removes, and says what it is measuring.
func Measure(ctx context.Context, dir string, say func(string)) (*scale.Constants, error) {
	return measure(ctx, dir, usual, say)
}

// measure is Measure with these numbers of calls.
func measure(ctx context.Context, dir string, n calls, say func(string)) (*scale.Constants, error) {
	c := &scale.Constants{Head: document.NewHead(scale.Schema), Host: host(), Cores: runtime.NumCPU()}
	var err error
	if c.Single, err = measureSingle(ctx, filepath.Join(dir, "single"), n, say); err != nil {
		return nil, fmt.Errorf("with one server: %w", err)
	}
	const servers = 3
	cluster, err := broker.StartCluster(filepath.Join(dir, "cluster"), servers)
	if err != nil {
		return nil, err
	}
	defer cluster.Shutdown()
	g := &gauge{connect: cluster.Connect, servers: servers, calls: n, say: say}
	if c.Cluster, err = g.costs(ctx); err != nil {
		return nil, fmt.Errorf("with %d servers: %w", servers, err)
	}
	return c, nil
}

// Single is Measure for the costs with one server in this process. It takes some seconds.
func Single(ctx context.Context, dir string, say func(string)) (scale.Costs, error) {
	return measureSingle(ctx, dir, usual, say)
}

func measureSingle(ctx context.Context, dir string, n calls, say func(string)) (c scale.Costs, err error) {
	server, err := broker.Start(broker.Embedded{Dir: dir})
	if err != nil {
		return c, err
	}
	defer server.Shutdown()
	g := &gauge{connect: func() (*nats.Conn, error) { return server.Connect("") }, servers: 1, calls: n, say: say}
	return g.costs(ctx)
}

func host() string {
	text := fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	machine, err := system.Machine()
	if err != nil {
		return text
	}
	for line := range strings.Lines(machine) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value) + ", " + text
		}
	}
	return text
}

// gauge measures the costs with one server or with a cluster.
type gauge struct {
	connect func() (*nats.Conn, error)
	servers int
	calls   calls
	say     func(string)
	nc      *nats.Conn
	stores  int
}

func (g *gauge) costs(ctx context.Context) (c scale.Costs, err error) {
	if g.nc, err = g.connect(); err != nil {
		return c, err
	}
	defer g.nc.Close()
	for _, part := range []struct {
		name    string
		measure func(context.Context, *scale.Costs) error
	}{
		{"the ledger", g.ledger}, {"queues", g.queues}, {"receivers that wait", g.receivers}, {"packages", g.packages}, {"the service", g.service},
	} {
		g.say(fmt.Sprintf("%s, servers: %d", part.name, g.servers))
		if err := part.measure(ctx, &c); err != nil {
			return c, fmt.Errorf("measuring %s: %w", part.name, err)
		}
	}
	return c, nil
}

// open opens an empty store. A cluster may need a moment until it has leaders.
func (g *gauge) open(ctx context.Context) (*store.Store, error) {
	g.stores++
	return g.openAs(ctx, fmt.Sprint("gauge-", g.stores))
}

func (g *gauge) openAs(ctx context.Context, prefix string) (st *store.Store, err error) {
	for range 20 {
		try, stop := context.WithTimeout(ctx, 5*time.Second)
		st, err = broker.Open(try, g.nc, broker.Options{Prefix: prefix, Replicas: g.servers})
		stop()
		if err == nil || ctx.Err() != nil {
			return st, errors.Join(err, ctx.Err())
		}
	}
	return nil, err
}
