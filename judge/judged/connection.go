package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// connection holds the flags that say on which NATS servers the store is.
type connection struct {
	urls, creds, ca string
	prefix          string
}

// urlsVariable is the environment variable with the URLs if no flag gives them: other users of the machine can read
// flags, and with them a password.
const urlsVariable = "JUDGED_NATS"

func (c *connection) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.urls, "nats", os.Getenv(urlsVariable), "`URL` of a NATS server or cluster with JetStream; several are separated by commas (default: "+urlsVariable+", in which others do not see its password)")
	f.Lookup("nats").DefValue = "" // not to be shown by --help
	f.StringVar(&c.creds, "creds", "", "`file` with the credentials for --nats")
	f.StringVar(&c.ca, "nats-ca", "", "`file` with the certificates, in PEM, of who signs those of the NATS servers (default: whom this machine trusts)")
	c.prefixFlag(cmd)
}

func (c *connection) prefixFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.prefix, "prefix", "tribunal", "`name` before those of all streams, so that several services can share a cluster")
}

type newStreams struct {
	replicas int
	ackWait  time.Duration
}

func (n *newStreams) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&n.replicas, "replicas", 1, "`number` of servers of a cluster that keep each record, when streams are created")
	f.DurationVar(&n.ackWait, "ack-wait", 30*time.Second, "`time` after which a task is given to another worker if the one that has it is silent, when streams are created")
}

func (n *newStreams) check() error {
	if n.replicas < 1 || n.replicas > 5 {
		return usage(fmt.Errorf("--replicas %d: want a number from 1 to 5", n.replicas))
	}
	if n.ackWait < time.Second {
		return usage(fmt.Errorf("--ack-wait %v: want at least 1s", n.ackWait))
	}
	return nil
}

func (c *connection) check() error {
	if c.urls == "" && (c.creds != "" || c.ca != "") {
		return usage(errors.New("--creds and --nats-ca are for the servers of --nats (hint: --nats tls://HOST:4222)"))
	}
	if !word().MatchString(c.prefix) {
		return usage(fmt.Errorf("--prefix %q: want letters, digits, - and _", c.prefix))
	}
	return nil
}

// word matches names that can be a word of a subject, such as a prefix or the name of a worker.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]{1,100}$`) })

// dial connects to the NATS servers. It logs when the connection is lost and what the servers refuse, because the
// caller of a refused request only notices that no answer comes.
func (c *connection) dial(r broker.Role, log *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		broker.Inbox(c.prefix, r),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				log.Error("the NATS server refuses a request (hint: judged rights prints the rights that its users need)", "error", err)
			}
		}),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: it is closed
				log.Warn("the connection to the NATS server is lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) {
			log.Info("connected to a NATS server again", "nats", nc.ConnectedUrlRedacted())
		}),
	}
	if c.creds != "" {
		if _, err := os.ReadFile(c.creds); err != nil {
			return nil, usage(fmt.Errorf("--creds: %w (hint: the file holds the credentials of a NATS user)", err))
		}
	}
	if c.ca != "" {
		text, err := os.ReadFile(c.ca)
		if err == nil && !x509.NewCertPool().AppendCertsFromPEM(text) {
			err = fmt.Errorf("%s: no certificate in it", c.ca)
		}
		if err != nil {
			return nil, usage(fmt.Errorf("--nats-ca: %w (hint: certificates in PEM)", err))
		}
		options = append(options, nats.RootCAs(c.ca))
	}
	nc, err := broker.Dial(c.urls, c.creds, options...)
	if err != nil {
		return nil, usage(err)
	}
	return nc, nil
}

// tries is how often, a second apart, a store is opened whose servers do not answer.
const tries = 10

// patiently opens a store. JetStream of a cluster may need a moment until it has a leader, and a worker may
// be started before the service for which it works.
func patiently(ctx context.Context, log *slog.Logger, open func() (*store.Store, error)) (st *store.Store, err error) {
	e := &retry.Effort{What: "opening the store", Log: log, Pause: time.Second}
	silent := 0 // tries since a server said that there is no store
	err = e.Until(ctx, func() error {
		silent++
		if st, err = open(); errors.Is(err, store.ErrNotFound) {
			silent = 0
			return fmt.Errorf("no service has been started yet: %w", err)
		}
		return err
	}, func(_ int, err error) bool { return silent == tries || errors.Is(err, broker.ErrIncomplete) })
	return st, err
}
