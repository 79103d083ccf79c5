package broker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/store/storetest"
)

func TestLeads(t *testing.T) {
	t.Parallel()
	heard := func(ago ...time.Duration) *jetstream.ClusterInfo {
		c := &jetstream.ClusterInfo{Leader: "a"}
		for _, d := range ago {
			c.Replicas = append(c.Replicas, &jetstream.PeerInfo{Active: d})
		}
		return c
	}
	for _, tt := range []struct {
		why     string
		cluster *jetstream.ClusterInfo
		leads   bool
	}{
		{"a server that is alone", nil, true},
		{"a cluster with one replica", heard(), true},
		{"two servers", heard(time.Second), true},
		{"two servers, and the other is silent", heard(time.Minute), false},
		{"three servers", heard(time.Second, time.Millisecond), true},
		{"one of two others is silent", heard(time.Minute, time.Second), true},
		{"both others are silent", heard(lease+1, time.Minute), false},
		{"both others were never heard", heard(0, 0), false},
		{"five servers, of which three are there", heard(time.Second, time.Minute, lease, time.Minute), true},
		{"five servers, of which two are there", heard(time.Second, time.Minute, 0, time.Minute), false},
	} {
		if leads := leads(tt.cluster); leads != tt.leads {
			t.Errorf("%s: %v, want %v", tt.why, leads, tt.leads)
		}
	}
}

// cutOff is a stream whose leader hears from nobody until a time.
type cutOff struct {
	jetstream.Stream
	until time.Time
}

func (c cutOff) Info(context.Context, ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	ago := time.Hour
	if !time.Now().Before(c.until) {
		ago = time.Millisecond
	}
	replicas := []*jetstream.PeerInfo{{Active: ago}, {Active: ago}}
	return &jetstream.StreamInfo{State: jetstream.StreamState{LastSeq: 7}, Cluster: &jetstream.ClusterInfo{Replicas: replicas}}, nil
}

// TestLastAlone asks a leader for the end of the log that may have been cut off: it must not answer before it has heard
// from the others.
func TestLastAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		heard, most time.Duration // after how long the leader hears the others, and the caller gives up
		last        uint64
		err         error
	}{
		{"the others are there", 0, time.Hour, 7, nil},
		{"they come back", 2 * time.Second, time.Hour, 7, nil},
		{"they do not", time.Hour, time.Hour, 0, errAlone},
		{"the caller has no time", time.Hour, time.Second, 0, context.DeadlineExceeded},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &ledger{stream: stream{cutOff{until: time.Now().Add(tt.heard)}}}
				ctx, stop := context.WithTimeout(t.Context(), tt.most)
				defer stop()
				if last, err := l.Last(ctx); last != tt.last || !errors.Is(err, tt.err) {
					t.Errorf("%d, %v; want %d, %v", last, err, tt.last, tt.err)
				}
			})
		})
	}
}

// TestAlone asks the server that leads a log for its end after the others have gone. If they had been cut off
// instead, they could have gone on without it, so that it must not answer for longer than they need for that.
func TestAlone(t *testing.T) {
	tier.T3(t, "a server that lost the others of its cluster")
	t.Parallel()
	cluster := nodes(t, clusterSize)
	kill := map[string]func(){}
	for _, n := range cluster {
		kill[n.Name] = n.spawn(t)
	}
	o := shortTimes(clusterSize)
	_, nc := ready(t, urls(cluster), o)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	name := whole(t, js, o.Prefix+"-ledger")
	leader := cluster[slices.IndexFunc(cluster, func(n node) bool { return n.Name == name })]
	s, _ := ready(t, leader.url(), o)
	if _, err := s.Log.Last(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, n := range cluster {
		if n.Name != leader.Name {
			kill[n.Name]()
		}
	}
	for ctx := storetest.Patient(t); ; {
		if _, err := s.Log.Last(t.Context()); err != nil {
			t.Log(err)
			break
		}
		if ctx.Err() != nil { // TestLeads has how long it may answer
			t.Fatalf("%s always answers alone", leader.Name)
		}
	}
	for _, n := range cluster {
		if n.Name != leader.Name {
			n.spawn(t)
		}
	}
	whole(t, js, o.Prefix+"-ledger")
	if _, err := s.Log.Last(t.Context()); err != nil {
		t.Errorf("after the others have come back: %v", err)
	}
}
