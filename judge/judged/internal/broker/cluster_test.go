package broker

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// clusterSize is the number of nodes, each of which has a replica of everything.
const clusterSize = 3

// ready opens a store in a cluster, as soon as that has elected its leaders.
func ready(t *testing.T, urls string, o Options) (s *store.Store, nc *nats.Conn) {
	t.Helper()
	ctx := storetest.Patient(t)
	for {
		nc, err := Dial(urls, "")
		if err == nil {
			t.Cleanup(nc.Close)
			if s, err = Open(ctx, nc, o); err == nil { // without a leader, no server answers in time
				return s, nc
			}
		}
		if ctx.Err() != nil {
			t.Fatalf("the cluster does not get ready: %v", err)
		}
		t.Logf("not yet: %v", err)
	}
}

// TestCluster runs the suite with three servers, over connections to each of them.
func TestCluster(t *testing.T) {
	tier.T3(t, "the suite of stores with three servers")
	t.Parallel()
	cluster := startCluster(t)
	next := 0
	storetest.Run(t, func(t *testing.T) func() *store.Store {
		o := shortTimes(clusterSize)
		return func() *store.Store {
			next++
			s, _ := ready(t, cluster[next%clusterSize].url(), o)
			return s
		}
	}, times)
	t.Run("full", func(t *testing.T) {
		o := shortTimes(clusterSize)
		o.MaxBytes = 64 << 10
		s, _ := ready(t, urls(cluster), o)
		fill(t, s)
	})
}

// startCluster starts three servers in this process.
func startCluster(t *testing.T) []node {
	t.Helper()
	cluster := nodes(t, clusterSize)
	for _, n := range cluster {
		shutdown, err := n.start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(shutdown)
	}
	return cluster
}

// TestReplicas opens a store that one server of a cluster keeps as one that three keep.
func TestReplicas(t *testing.T) {
	tier.T2(t, "a store that more servers keep than before")
	t.Parallel()
	cluster, o := startCluster(t), shortTimes(1)
	ready(t, urls(cluster), o)
	o.Replicas = clusterSize
	_, nc := ready(t, urls(cluster), o)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for list := js.ListStreams(t.Context()); ; {
		s, ok := <-list.Info()
		if !ok {
			break
		}
		if strings.HasPrefix(s.Config.Name, o.Prefix+"-") && s.Config.Replicas != clusterSize {
			t.Errorf("%s is kept by %d servers, want %d", s.Config.Name, s.Config.Replicas, clusterSize)
		}
	}
}
