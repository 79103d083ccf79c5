// Package broker keeps what the service keeps in NATS JetStream: in a server of its own inside this
// process, or in a cluster.
package broker

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/limits"
)

// Embedded are the settings of a server inside this process.
type Embedded struct {
	Dir string // the folder of its files
	// Listen is the address, host:port, at which workers on other machines reach it; "" for none.
	// Others than loopback addresses need a Token: the password of the user worker, who has the rights of
	// a [Worker] for the streams with the Prefix.
	Listen string
	Token  string
	Prefix string
	// Admin is the password of the user admin, who may do everything, such as to back up streams; "" if
	// there is no such user. It needs a Token.
	Admin string
	// Sync makes the server write every record to the disk before it acknowledges it, so that not
	// even a power cut loses one. Otherwise it does so every SyncInterval: then a crash of the process
	// loses nothing, and a power cut that much at most.
	Sync         bool
	SyncInterval time.Duration // 0 means 10 s
	Reserve      limits.Bytes  // of the disk, see [Server.Room]; 0 means 256 MiB
	Log          *slog.Logger
}

// Server is a NATS server inside this process.
type Server struct {
	e Embedded
	o *server.Options

	running    atomic.Pointer[instance]
	restarting sync.Mutex // held while the server is started again, see [Server.watch]

	ending   chan struct{} // closed by end
	end      func()
	watching sync.WaitGroup
}

// instance is a server from one start to the next.
type instance struct {
	nats *server.Server
	log  *logger
}

// maxPayload is the size of the largest message, which is NATS's default. Anything that can be larger is a blob.
const maxPayload = 1 << 20

// startTime is how long a server may take to accept connections after it has read its files.
const startTime = time.Minute

// Start starts a server, which the caller shuts down. The error is an [*AddressError] if the server cannot
// listen where it should.
func Start(e Embedded) (*Server, error) {
	o := &server.Options{
		ServerName: "judged", DontListen: e.Listen == "", JetStream: true,
		StoreDir: filepath.Join(e.Dir, "nats"), SyncAlways: e.Sync, SyncInterval: e.SyncInterval,
		MaxPayload: maxPayload, NoSigs: true, DisableJetStreamBanner: true, Users: e.users(),
		JetStreamMaxMemory: 64 << 20,
		// By default the bound is a share of what is free at the start, for as long as the server runs: one that was
		// started on a full disk would never take work again. The disk is the bound, see Room.
		JetStreamMaxStore: math.MaxInt64 / 2,
	}
	if o.SyncInterval == 0 {
		o.SyncInterval = 10 * time.Second
	}
	if e.Listen != "" {
		if err := e.listen(o); err != nil {
			return nil, &AddressError{err}
		}
	}
	if e.Reserve == 0 {
		e.Reserve = usualReserve
	}
	s := &Server{e: e, o: o, ending: make(chan struct{})}
	s.end = sync.OnceFunc(func() { close(s.ending) })
	first, err := s.run()
	if err != nil {
		return nil, err
	}
	s.running.Store(first)
	if address, ok := first.nats.Addr().(*net.TCPAddr); ok {
		o.Port = address.Port // where workers will look for it
	}
	s.watching.Go(s.watch)
	return s, nil
}

func (s *Server) run() (*instance, error) {
	n, err := server.NewServer(s.o.Clone())
	if err != nil {
		return nil, fmt.Errorf("the NATS server: %w", err)
	}
	l := &logger{to: s.e.Log}
	n.SetLoggerV2(l, false, false, false)
	n.Start() // reads its files and listens, or says why it cannot
	if why := l.fatal.Load(); why != nil {
		n.Shutdown()
		return nil, fmt.Errorf("the NATS server with the files in %s: %s", s.o.StoreDir, *why)
	}
	if !n.ReadyForConnections(startTime) {
		n.Shutdown()
		return nil, fmt.Errorf("the NATS server with the files in %s does not accept connections", s.o.StoreDir)
	}
	return &instance{n, l}, nil
}

func (i *instance) shutdown() {
	i.nats.Shutdown()
	i.nats.WaitForShutdown()
}

// listen sets the address in the options of the server, if it can listen there.
func (e *Embedded) listen(o *server.Options) error {
	host, port, err := splitAddress(e.Listen)
	if err != nil {
		return err
	}
	if e.Token == "" && !loopback(host) {
		return fmt.Errorf("address %q: needs a token, because it is not a loopback address", e.Listen)
	}
	l, err := net.Listen("tcp", e.Listen)
	if err != nil {
		return fmt.Errorf("%w (hint: give a free address of this machine, such as 127.0.0.1:4222)", err)
	}
	o.Host, o.Port = host, port
	return l.Close()
}

// users returns who may connect; nil: everybody. This process may do everything.
func (e *Embedded) users() []*server.User {
	if e.Token == "" {
		return nil
	}
	here := map[string]struct{}{"IN_PROCESS": {}}
	users := []*server.User{
		{Username: string(Service), Password: e.Token, AllowedConnectionTypes: here},
		{Username: string(Worker), Password: e.Token, Permissions: RightsOf(e.Prefix, Worker).permissions()},
	}
	if e.Admin != "" {
		users = append(users, &server.User{Username: "admin", Password: e.Admin})
	}
	return users
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// URL returns the address at which the server listens, "" if it does not.
func (s *Server) URL() string {
	n := s.running.Load().nats
	if n.Addr() == nil {
		return ""
	}
	return n.ClientURL()
}

// Connect opens a connection inside this process.
func (s *Server) Connect(token string) (*nats.Conn, error) {
	return connect("", nats.InProcessServer(s), nats.UserInfo(string(Service), token))
}

// InProcessConn implements [nats.InProcessConnProvider].
func (s *Server) InProcessConn() (net.Conn, error) {
	s.restarting.Lock()
	defer s.restarting.Unlock()
	return s.running.Load().nats.InProcessConn()
}

// Shutdown stops the server and waits until its files are written.
func (s *Server) Shutdown() {
	s.end()
	s.watching.Wait()
	s.running.Load().shutdown()
}

// logger passes the server's messages on. The server calls Fatalf when it cannot start or go on.
type logger struct {
	to    *slog.Logger           // may be nil
	fatal atomic.Pointer[string] // the first message to Fatalf
	full  atomic.Bool            // a message said that the disk is full
}

func (l *logger) log(level slog.Level, format string, v []any) {
	text := fmt.Sprintf(format, v...)
	l.notice(text)
	if l.to != nil {
		l.to.Log(context.Background(), level, text)
	}
}

func (l *logger) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.fatal.CompareAndSwap(nil, &text)
	l.log(slog.LevelError, format, v)
}

// plainWarning is the server's warning about the passwords of [Embedded]. They are random, and hashing them in its
// configuration would protect nothing.
const plainWarning = "Plaintext passwords detected, use nkeys or bcrypt"

func (l *logger) Warnf(format string, v ...any) {
	if format != plainWarning {
		l.log(slog.LevelWarn, format, v)
	}
}

func (l *logger) Noticef(format string, v ...any) { l.log(slog.LevelDebug, format, v) }
func (l *logger) Errorf(format string, v ...any)  { l.log(slog.LevelError, format, v) }
func (l *logger) Debugf(string, ...any)           {}
func (l *logger) Tracef(string, ...any)           {}
