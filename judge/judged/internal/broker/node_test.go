package broker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// node is a server on this host: alone, as package broker starts it, or one of a cluster. It can run in
// this process, or in one of its own, which can be killed.
type node struct {
	Name  string
	Dir   string
	Port  int
	Route int   // its port for other nodes; 0 if it is alone
	Peers []int // their ports for it
	Sync  bool
}

// nodes returns the settings of n servers that know each other, or of one that is alone.
func nodes(t *testing.T, n int) []node {
	t.Helper()
	list, peers := make([]node, n), []int(nil)
	for i := range list {
		list[i] = node{Name: fmt.Sprint("node", i), Dir: t.TempDir(), Port: freePort(t)}
		if n > 1 {
			list[i].Route = freePort(t)
			peers = append(peers, list[i].Route)
		}
	}
	for i := range list {
		list[i].Peers = peers
	}
	return list
}

// freePort returns a port that was free a moment ago, of those that the kernel does not give to others
// meanwhile because they ask for any port.
func freePort(t *testing.T) int {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 12000+rand.IntN(20000)))
		if err != nil {
			continue
		}
		l.Close()
		return l.Addr().(*net.TCPAddr).Port
	}
	t.Fatal("this host has no free port")
	return 0
}

// url returns the address of a node.
func (n node) url() string { return fmt.Sprint("nats://127.0.0.1:", n.Port) }

// urls returns the addresses of all nodes.
func urls(list []node) string {
	var all []string
	for _, n := range list {
		all = append(all, n.url())
	}
	return strings.Join(all, ",")
}

// start starts a node in this process.
func (n node) start() (shutdown func(), err error) {
	if n.Route == 0 {
		s, err := Start(Embedded{Dir: n.Dir, Listen: fmt.Sprint("127.0.0.1:", n.Port), Sync: n.Sync})
		if err != nil {
			return nil, err
		}
		return s.Shutdown, nil
	}
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, StoreDir: n.Dir, JetStream: true, NoSigs: true, MaxPayload: maxPayload,
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: n.Route},
	}
	for _, port := range n.Peers {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		return nil, fmt.Errorf("%s does not start", n.Name)
	}
	return func() {
		s.Shutdown()
		s.WaitForShutdown()
	}, nil
}

// nodeVariable makes this program a node, whose settings it holds.
const nodeVariable = "JUDGED_TEST_NODE"

func TestMain(m *testing.M) {
	text := os.Getenv(nodeVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var n node
	err := json.Unmarshal([]byte(text), &n)
	if err == nil {
		_, err = n.start()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("started")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends, in whatever way
}

// spawn starts a node in a process of its own. kill kills that with no chance to do anything.
func (n node) spawn(t *testing.T) (kill func()) {
	t.Helper()
	text, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), nodeVariable+"="+string(text))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		in.Close()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "started\n" {
		t.Fatalf("%s: %q, %v", n.Name, line, err)
	}
	return kill
}
