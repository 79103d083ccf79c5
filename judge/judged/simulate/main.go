// Simulate predicts what a service with many workers carries: see docs/scale.md and simulate --help.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/gauge"
	"tribunal/judge/judged/internal/scale"
)

func main() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// execute is the whole program: it returns the exit code, 2 for wrong arguments and 3 if measuring or writing fails.
func execute(ctx context.Context, args []string, out, errs io.Writer) int {
	cmd := (&options{out: out, err: errs, setup: scale.Usual(scale.Measured())}).command()
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(errs)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(errs, "simulate: %v\n", err)
	if _, wrong := errors.AsType[engine.UserError](err); wrong {
		return 2
	}
	return 3
}

// usage marks an error of the user.
func usage(err error) error { return engine.UserError{Err: err} }

type options struct {
	out, err  io.Writer
	setup     scale.Setup
	workers   string
	gigabits  float64
	constants string
	measure   bool
	json      bool
	svg       string
}

func (s *options) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Predict what a service with many workers carries",
		Long: `Predict what a service with many workers carries, by simulating its flow with costs that
were measured on one host. The table says for each number of workers how many verdicts
per second there are, within which time 95 of 100 submissions are taken and judged, and
how busy each station on their way is. docs/scale.md explains it.

The costs are those of docs/scale.md unless --constants names others. With --measure they
are measured on this host, which should do nothing else for a minute, and printed.`,
		Example:       "  simulate --workers 1..1000\n  simulate --servers 3 --cores 16 --slots 16 --svg pictures\n  simulate --measure > here.json\n  simulate --constants here.json --hot 0.5 --package-size 200MiB",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("unexpected argument %q (hint: simulate --help)", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return engine.FlagError(cmd.CommandPath(), cmd.Flags(), err)
	})
	f, d := cmd.Flags(), &s.setup
	f.StringVar(&s.workers, "workers", "1..1000", "`numbers` of workers, such as 1..1000 or 1,8,64")
	f.IntVar(&d.Slots, "slots", d.Slots, "`number` of programs that a worker runs at a time")
	f.IntVar(&d.Domains, "domains", d.Domains, "`number` of JetStream domains, among which problems and workers are divided")
	f.IntVar(&d.Servers, "servers", d.Servers, "`number` of NATS servers of a domain: 1 in the process of the service, or 3 that all keep everything")
	f.IntVar(&d.Cores, "cores", 0, "`number` of cores of each server (default: those of the host that was measured)")
	f.DurationVar(&d.RTT, "rtt", d.RTT, "`time` between two hosts, there and back")
	f.Float64Var(&s.gigabits, "link", d.Link/scale.Gigabit, "what a server can send, in `Gbit` per second")
	f.Float64Var(&d.Arrivals, "arrivals", 0, "`number` of submissions per second (default: as many as --load needs)")
	f.Float64Var(&d.Load, "load", d.Load, "`share` of the slots that is busy if the service keeps up")
	f.IntVar(&d.Clients, "clients", d.Clients, "`number` of clients that hand in at a time in a domain, each of which waits for its acknowledgement")
	f.IntVar(&d.Cases, "cases", d.Cases, "`number` of cases of a problem")
	f.DurationVar(&d.Case, "case-time", d.Case, "mean `time` of a case")
	f.Float64Var(&d.Spread, "case-spread", d.Spread, "standard deviation of the time of cases between submissions, as a `share` of the mean")
	f.DurationVar(&d.Compile, "compile-time", d.Compile, "`time` of a compilation")
	f.TextVar(&d.Source, "source-size", d.Source, "`size` of a source")
	f.TextVar(&d.Result, "result-size", d.Result, "`size` of the result of a judging")
	f.IntVar(&d.Problems, "problems", d.Problems, "`number` of problems")
	f.Float64Var(&d.Hot, "hot", d.Hot, "`share` of the submissions for one further problem, whose package no worker has")
	f.TextVar(&d.Package, "package-size", d.Package, "`size` of that package")
	f.DurationVar(&d.Open, "open-time", d.Open, "`time` that a worker needs to open that package")
	f.IntVar(&d.Judgings, "judgings", d.Judgings, "`number` of judgings that are simulated, about")
	f.Uint64Var(&d.Seed, "seed", d.Seed, "`seed` of everything that is random")
	f.StringVar(&s.constants, "constants", "", "`file` with costs that --measure has printed")
	f.BoolVar(&s.measure, "measure", false, "measure the costs on this host and print them")
	f.BoolVar(&s.json, "json", false, "print JSON instead of a table")
	f.StringVar(&s.svg, "svg", "", "also write pictures to this `folder`")
	return cmd
}

func (s *options) run(ctx context.Context) error {
	if s.measure {
		if s.constants != "" || s.json || s.svg != "" {
			return usage(errors.New("--measure only prints costs (hint: simulate --measure > FILE, then simulate --constants FILE)"))
		}
		return s.gauge(ctx)
	}
	if err := s.complete(); err != nil {
		return err
	}
	workers, err := scale.Numbers(s.workers)
	if err != nil {
		return usage(fmt.Errorf("--workers: %w", err))
	}
	for _, n := range workers {
		s.setup.Workers = n
		if err := s.setup.Check(); err != nil {
			return usage(err)
		}
	}
	if s.svg != "" && len(workers) < 2 {
		return usage(errors.New("--svg needs several numbers of workers (hint: --workers 1..1000)"))
	}
	curve, err := scale.Draw(ctx, s.setup, workers)
	if err != nil {
		return err
	}
	if err := s.draw(curve); err != nil {
		return err
	}
	if s.json {
		return document.Write(s.out, struct {
			document.Head
			Host string `json:"host"`
			*scale.Curve
		}{document.NewHead("tribunal/scale/1"), s.setup.Constants.Host, curve})
	}
	return curve.WriteTable(s.out)
}

// complete completes the setup with what the flags do not say themselves.
func (s *options) complete() error {
	s.setup.Link = s.gigabits * scale.Gigabit
	if s.constants != "" {
		text, err := os.ReadFile(s.constants)
		if err != nil {
			return usage(fmt.Errorf("--constants: %w (hint: simulate --measure > FILE writes one)", err))
		}
		if s.setup.Constants, err = scale.Read(bytes.NewReader(text)); err != nil {
			return usage(fmt.Errorf("%s: %w", s.constants, err))
		}
	}
	if s.setup.Cores == 0 {
		s.setup.Cores = s.setup.Constants.Cores
	}
	return nil
}

// draw writes the pictures of a curve.
func (s *options) draw(c *scale.Curve) error {
	if s.svg == "" {
		return nil
	}
	if err := os.MkdirAll(s.svg, 0o755); err != nil {
		return usage(fmt.Errorf("--svg: %w (hint: name a folder)", err))
	}
	for _, p := range c.Pictures() {
		if err := system.WriteFile(filepath.Join(s.svg, p.Name+".svg"), p.SVG, 0o644); err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
	}
	return nil
}

// gauge measures the costs on this host.
func (s *options) gauge(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "simulate-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	begin := time.Now()
	c, err := gauge.Measure(ctx, dir, func(what string) {
		fmt.Fprintf(s.err, "simulate: measuring %s, after %v\n", what, time.Since(begin).Round(time.Second))
	})
	if err != nil {
		return fmt.Errorf("measuring the costs with %d cores: %w", runtime.NumCPU(), err)
	}
	return document.Write(s.out, c)
}
