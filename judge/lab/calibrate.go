package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/event"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/lab/findings"
)

type calibrateOptions struct {
	*cli.App
	reports       *cli.Reports
	slots, repeat int
	beyond        time.Duration
}

func CalibrateCommand(o *cli.App) *cobra.Command {
	c := &calibrateOptions{App: o}
	cmd := &cobra.Command{
		Use:   "calibrate PROBLEM|PACKAGE",
		Short: "Propose limits from measurements of the example submissions",
		Long: `Propose limits from measurements of the example submissions.

The reference solver, the accepted examples and those that must exceed a limit run on
all cases, beyond the present limits. The slowest cases of each program are then run
again, one at a time.

An accepted program must need at most half of a limit, and a program that is too
slow at least one and a half times the limit (docs/calibrate.md). No file is
changed: copy the last line of the output into problems/PROBLEM.yaml.
The exit status is 1 if the present limits are not suitable.`,
		Example: "  judge calibrate maze\n  judge calibrate marble --beyond 1m --repeat 5",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("calibrate needs one problem (hint: judge calibrate maze)"))
			}
			if err := cli.CheckSlots(cmd, c.slots); err != nil {
				return err
			}
			if c.repeat < 1 || c.repeat > cli.MaxRepeat {
				return cli.Usage(fmt.Errorf("--repeat %d: want a number from 1 to %d", c.repeat, cli.MaxRepeat))
			}
			if err := checkBeyond(cmd, c.beyond); err != nil {
				return err
			}
			return c.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	c.reports = o.Report(cmd, "calibrate.md", format.Names(findings.CalibrateFormats()))
	f.IntVar(&c.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	f.IntVar(&c.repeat, "repeat", 3, "`number` of times that the slowest cases are run again, 1 to 100")
	f.DurationVar(&c.beyond, "beyond", 0, "CPU `time` after which a run is stopped (default: ten times the present limit)")
	return cmd
}

// longestRun is the largest value of --beyond.
const longestRun = 24 * time.Hour

// checkBeyond returns an error if the flag --beyond is out of range.
func checkBeyond(cmd *cobra.Command, beyond time.Duration) error {
	if cmd.Flags().Changed("beyond") && (beyond < time.Millisecond || beyond > longestRun) {
		return cli.Usage(fmt.Errorf("--beyond %v: want a time from 1ms to %v", beyond, longestRun))
	}
	return nil
}

func (c *calibrateOptions) run(ctx context.Context, id string) error {
	return c.WithProblem(ctx, id, c.slots, func(eng *engine.Engine, s *cli.Subject) error {
		if c.beyond > 0 && c.beyond < s.Limits.CPU {
			return cli.Usage(fmt.Errorf("--beyond %v: less than the present limit of %v (hint: leave --beyond out, or give a longer time)", c.beyond, s.Limits.CPU))
		}
		m := s.CaseData(eng)
		if err := eng.Programs(ctx, s.CaseData(eng)); err != nil {
			return err
		}
		t, err := s.Task(ctx, eng)
		if err != nil {
			return err
		}
		sink := cli.Begin(c.reports, findings.CalibrateFormats())
		emit := event.Emit(sink.Event)
		emit.Stage("preparing the inputs of " + s.ID)
		if err := m.Prepare(ctx, t.Cases); err != nil {
			return sink.End(err)
		}
		r, err := calibrate.Run(ctx, &calibrate.Target{
			Judge: eng.Judge(m), Task: t, WallSet: s.Limits.Wall > 0, WallFactor: eng.Config.WallFactor,
		}, calibrate.Options{Beyond: c.beyond, Repeat: c.repeat, Emit: emit})
		if err = sink.End(err); err == nil && len(r.Findings) > 0 {
			return cli.Status(cli.ExitNot)
		}
		return err
	})
}
