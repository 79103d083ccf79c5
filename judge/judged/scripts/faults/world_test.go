package faults

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/store"
)

// shape is the number of processes of each kind in a world.
type shape struct {
	nodes    int // NATS servers; 0: the service has its own
	services int
	workers  int
	disk     string // the folder for the files of a service with its own NATS server; "": a temporary one
	contest  *contest
}

func (s shape) String() string {
	return fmt.Sprintf("%d nodes, %d services, %d workers", s.nodes, s.services, s.workers)
}

// world is an installation on this host: node0, server0, worker0 and so on, and a villain who has not
// joined yet.
type world struct {
	shape     shape
	processes map[string]*process
	// links are those of a process to the NATS servers, of a node to the others, and of the client to a
	// service: client0 to server0.
	links  map[string][]*link
	nats   []*endpoint // of the NATS servers
	own    *link       // of the test to them, without faults
	client *client
}

const villainName = "villain"

// newWorld starts a world, which ends with the test.
func newWorld(t *testing.T, s shape) *world {
	t.Helper()
	w := &world{shape: s, processes: map[string]*process{}, links: map[string][]*link{}}
	w.addNodes(t)
	var urls []string
	for i := range s.services {
		http := &endpoint{}
		front := fmt.Sprint("client", i)
		l := newLink(t, http)
		w.links[front] = []*link{l}
		urls = append(urls, "http://"+l.addresses[0])
		w.addService(t, fmt.Sprint("server", i), http)
	}
	w.own = newLink(t, w.nats...)
	w.client = newClient(urls...)
	for i := range s.workers {
		w.addWorker(t, laborer{Name: fmt.Sprint("worker", i), Slots: 2})
	}
	w.addWorker(t, laborer{Name: villainName, Slots: 2, Hostile: true})
	if err := w.heal(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// addNodes adds the NATS servers. Each pair of a cluster has a link of its own.
func (w *world) addNodes(t *testing.T) {
	if w.shape.nodes == 0 {
		w.nats = []*endpoint{{}}
		return
	}
	nodes, routes := make([]*node, w.shape.nodes), make([]*endpoint, w.shape.nodes)
	for i := range nodes {
		name := fmt.Sprint("node", i)
		nodes[i], routes[i] = &node{Name: name, Dir: filepath.Join(t.TempDir(), name)}, &endpoint{}
		w.nats = append(w.nats, &endpoint{})
		w.processes[name] = newProcess(t, name, role{Node: nodes[i]}, w.nats[i], routes[i])
	}
	if w.shape.nodes == 1 {
		return
	}
	for j, n := range nodes {
		others := newLink(t, routes[j]) // over which others come that hear of the node from a third
		n.Own = others.addresses[0]
		w.links[n.Name] = append(w.links[n.Name], others)
		for i, m := range nodes[:j] {
			l := newLink(t, routes[i], routes[j])
			n.Routes, m.Routes = append(n.Routes, l.addresses[0]), append(m.Routes, l.addresses[1])
			w.links[n.Name], w.links[m.Name] = append(w.links[n.Name], l), append(w.links[m.Name], l)
		}
	}
}

func (w *world) addService(t *testing.T, name string, http *endpoint) {
	s := &judged{Name: name, Replicas: w.shape.nodes, Contest: w.shape.contest}
	at := []*endpoint{http}
	if w.shape.nodes == 0 {
		s.Dir, at = cmp.Or(w.shape.disk, t.TempDir()), append(at, w.nats[0])
	} else {
		s.NATS = w.connect(t, name)
	}
	w.processes[name] = newProcess(t, name, role{Service: s}, at...)
}

func (w *world) addWorker(t *testing.T, l laborer) {
	l.NATS = w.connect(t, l.Name)
	w.processes[l.Name] = newProcess(t, l.Name, role{Worker: &l})
}

// connect makes the link of a process to the NATS servers, and returns their URLs there.
func (w *world) connect(t *testing.T, name string) string {
	l := newLink(t, w.nats...)
	w.links[name] = []*link{l}
	return urlsOf(l)
}

func urlsOf(l *link) string {
	urls := make([]string, len(l.addresses))
	for i, address := range l.addresses {
		urls[i] = "nats://" + address
	}
	return strings.Join(urls, ",")
}

// heal ends all faults, and starts what is not running, the NATS servers first. The villain leaves.
func (w *world) heal(ctx context.Context) error {
	for _, links := range w.links {
		for _, l := range links {
			l.cut(false)
			l.stall(false)
			l.slow(false)
		}
	}
	w.processes[villainName].kill()
	for _, isNode := range []bool{true, false} {
		var g errgroup.Group
		for name, p := range w.processes {
			if name != villainName && (p.role.Node != nil) == isNode {
				g.Go(func() error {
					p.resume()
					p.tell("0s")
					return p.start()
				})
			}
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if isNode && w.shape.nodes > 1 {
			if err := w.elect(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// elect waits until the NATS servers have a leader, without whom the first request of a process would be
// lost.
func (w *world) elect(ctx context.Context) error {
	js, done, err := w.jetstream()
	if err != nil {
		return err
	}
	defer done()
	for ctx.Err() == nil {
		try, stop := context.WithTimeout(ctx, 5*time.Second)
		_, err := js.AccountInfo(try)
		stop()
		if err == nil {
			return nil
		}
	}
	return ctx.Err()
}

// jetstream connects to the NATS servers.
func (w *world) jetstream() (jetstream.JetStream, func(), error) {
	nc, err := broker.Dial(urlsOf(w.own), "", nats.RetryOnFailedConnect(true))
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(nc)
	return js, nc.Close, err
}

// store opens the store without a service.
func (w *world) store(ctx context.Context) (*store.Store, func(), error) {
	return open(ctx, func() (*nats.Conn, error) { return broker.Dial(urlsOf(w.own), "") }, opening(w.shape.nodes))
}
