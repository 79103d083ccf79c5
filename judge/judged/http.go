package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/pages"
	"tribunal/judge/judged/internal/rate"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/web"
)

type httpOptions struct {
	listen    string
	cert, key string
	open      bool
	rate      float64
	feedback  string
	free      func() (limits.Bytes, error) // see [pages.Options]; set by serve
	outside   outsideOptions
	callbacks *web.Callbacks // from outside
	queue     int            // judgings that may wait
}

func (h *httpOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&h.listen, "listen", "127.0.0.1:8080", "`address` of the HTTP server")
	f.StringVar(&h.cert, "tls-cert", "", "`file` with the certificates of the HTTP server, in PEM")
	f.StringVar(&h.key, "tls-key", "", "`file` with the key of --tls-cert")
	f.Float64Var(&h.rate, "rate", 1000, "requests per second of each token and each address, 0 for any `number`; further ones are refused with 429")
	f.StringVar(&h.feedback, "feedback", string(problem.FeedbackSamples), "what submitters see of judgings by problems that say nothing: `KIND` is none, verdict, samples, first or all (docs/service.md)")
	f.BoolVar(&h.open, "open", false, "let every program on this machine submit and read without a token")
	h.outside.flags(cmd)
}

func (h *httpOptions) check() error {
	if (h.cert == "") != (h.key == "") {
		return usage(errors.New("--tls-cert and --tls-key belong together (hint: give both)"))
	}
	if !slices.Contains(problem.Feedbacks(), problem.Feedback(h.feedback)) {
		return usage(fmt.Errorf("--feedback %s: unknown (hint: none, verdict, samples, first or all)", h.feedback))
	}
	if h.rate < 0 || math.IsNaN(h.rate) || math.IsInf(h.rate, 0) {
		return usage(fmt.Errorf("--rate %v: want a positive number, or 0", h.rate))
	}
	return h.outside.check()
}

// limiter bounds requests, nil if there is no bound. A second's worth may come at once.
func (h *httpOptions) limiter() web.Limiter {
	if h.rate == 0 {
		return nil
	}
	return rate.New(h.rate, max(1, int(2*h.rate)), 100_000)
}

// shutdownTime is how long requests under way may take after the service has been told to end.
const shutdownTime = 10 * time.Second

// bind opens the address of the server. It comes before the store is opened, so that a service whose address is
// taken changes nothing.
func (h *httpOptions) bind() (net.Listener, error) {
	var secure *tls.Config
	if h.cert != "" {
		pair, err := tls.LoadX509KeyPair(h.cert, h.key)
		if err != nil {
			return nil, usage(fmt.Errorf("--tls-cert: %w (hint: certificates and key in PEM)", err))
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	}
	listener, err := net.Listen("tcp", h.listen)
	if err != nil {
		return nil, usage(fmt.Errorf("--listen: %w (hint: give a free address of this machine, such as 127.0.0.1:8080)", err))
	}
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	return listener, nil
}

// run serves the API until ctx ends, and closes the listener.
func (h *httpOptions) run(ctx context.Context, listener net.Listener, svc *service.Service, tokens *access.Tokens, c *config.Config, log *slog.Logger) error {
	server := web.NewServer(web.New(web.Options{
		Service: svc, Tokens: tokens, Accounts: tokens, Open: h.open, PerAddress: h.limiter(), PerToken: h.limiter(), Feedback: problem.Feedback(h.feedback),
		Languages: languages(c), Log: log, Audit: log.With("audit", true), Pages: h.pages(svc, tokens, c, log),
		Queue: h.queue, Callbacks: h.callbacks, Origins: h.outside.origins, Proxies: h.outside.trusted,
	}))
	log.Info("listening", "address", listener.Addr().String(), "tls", h.cert != "")
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer stop()
		if err := server.Shutdown(end); err != nil {
			return server.Close()
		}
		return nil
	})
	return g.Wait()
}

// pages returns what people see in a browser.
func (h *httpOptions) pages(svc *service.Service, tokens *access.Tokens, c *config.Config, log *slog.Logger) *pages.Pages {
	return pages.New(pages.Options{
		Service: svc, Accounts: tokens, Feedback: problem.Feedback(h.feedback), Languages: slices.Sorted(maps.Keys(c.Build.Languages)),
		LanguagesOf: languagesOf(c), ExtensionOf: func(language string) string {
			if match := c.Build.Languages[language].Match; len(match) > 0 {
				return match[0]
			}
			return ""
		},
		Free: h.free, Log: log, Audit: log.With("audit", true), Now: svc.Now,
	})
}

// sweepPause is the time between two removals of sessions and invitations that have expired.
const sweepPause = time.Hour

// sweep removes expired sessions and invitations until ctx ends.
func sweep(ctx context.Context, tokens *access.Tokens, log *slog.Logger) error {
	for {
		if err := tokens.Sweep(ctx); err != nil && ctx.Err() == nil {
			log.Warn("expired sessions cannot be removed", "error", err)
		}
		select {
		case <-time.After(sweepPause):
		case <-ctx.Done():
			return nil
		}
	}
}

// languagesOf returns a function that lists the languages with the extension of a file name, first those that need
// no line #!.
func languagesOf(c *config.Config) func(name string) []string {
	all := slices.SortedFunc(maps.Keys(c.Build.Languages), func(a, b string) int {
		return cmp.Or(len(c.Build.Languages[a].Shebang)-len(c.Build.Languages[b].Shebang), strings.Compare(a, b))
	})
	return func(name string) (list []string) {
		for _, id := range all {
			match := c.Build.Languages[id].Match
			if e := path.Ext(name); slices.Contains(match, e) || slices.Contains(match, strings.ToLower(e)) {
				list = append(list, id)
			}
		}
		return list
	}
}

// languages lists the languages of runner.yaml, sorted by name.
func languages(c *config.Config) (list []web.Language) {
	for _, name := range slices.Sorted(maps.Keys(c.Build.Languages)) {
		list = append(list, web.Language{ID: name, Extensions: c.Build.Languages[name].Match, Options: c.Build.Languages[name].Options})
	}
	return list
}
