package broker

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Cluster is a cluster of NATS servers inside this process, for measurements. They listen at loopback
// addresses.
type Cluster struct {
	servers []*server.Server
	urls    []string
}

// StartCluster starts a cluster of n servers, which the caller shuts down. Their files are in folders of
// dir. It takes a moment until they have elected leaders.
func StartCluster(dir string, n int) (*Cluster, error) {
	ports, err := freePorts(2 * n)
	if err != nil {
		return nil, err
	}
	own, routes := ports[:n], []*url.URL(nil)
	for _, port := range ports[n:] {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	c := &Cluster{}
	for i := range n {
		name := fmt.Sprint("node-", i)
		s, err := server.NewServer(&server.Options{
			ServerName: name, Host: "127.0.0.1", Port: own[i], NoSigs: true, NoLog: true, JetStream: true,
			StoreDir: filepath.Join(dir, name), MaxPayload: maxPayload, DisableJetStreamBanner: true,
			Cluster: server.ClusterOpts{Name: "judged", Host: "127.0.0.1", Port: ports[n+i]}, Routes: routes,
		})
		if err != nil {
			c.Shutdown()
			return nil, fmt.Errorf("the NATS server %s: %w", name, err)
		}
		c.servers = append(c.servers, s)
		c.urls = append(c.urls, fmt.Sprint("nats://127.0.0.1:", own[i]))
		s.Start()
	}
	for _, s := range c.servers {
		if !s.ReadyForConnections(startTime) {
			c.Shutdown()
			return nil, fmt.Errorf("the NATS server %s does not accept connections", s.Name())
		}
	}
	return c, nil
}

// freePorts returns ports that were free a moment ago.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // when all are found, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// Connect opens a connection to one of the servers.
func (c *Cluster) Connect() (*nats.Conn, error) { return Dial(strings.Join(c.urls, ","), "") }

func (c *Cluster) Shutdown() {
	for _, s := range c.servers {
		s.Shutdown()
	}
	for _, s := range c.servers {
		s.WaitForShutdown()
	}
}
