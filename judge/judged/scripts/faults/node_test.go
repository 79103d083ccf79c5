package faults

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// node is a NATS server, alone or in a cluster. Nodes reach each other through links of the test, whose
// addresses stay when a node is started again.
type node struct {
	Name   string
	Dir    string
	Own    string   // the address at which others reach its route; "" if it is alone
	Routes []string // the addresses of all nodes, for this one
}

func (n *node) run(ctx context.Context) error {
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		JetStream: true, StoreDir: n.Dir, MaxPayload: 1 << 20, DisableJetStreamBanner: true,
		LogFile: n.Dir + ".log",
	}
	if n.Own != "" {
		o.Cluster = server.ClusterOpts{Name: "faults", Host: "127.0.0.1", Port: server.RANDOM_PORT, Advertise: n.Own, NoAdvertise: true}
		for _, address := range n.Routes {
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: address})
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	s.Start()
	if !s.ReadyForConnections(time.Hour) {
		return errors.New("the NATS server does not start")
	}
	addresses := []string{s.Addr().String()}
	if n.Own != "" {
		addresses = append(addresses, s.ClusterAddr().String())
	}
	ready(addresses...)
	<-ctx.Done()
	s.Shutdown()
	s.WaitForShutdown()
	fmt.Fprintln(os.Stderr, "ended")
	return nil
}
