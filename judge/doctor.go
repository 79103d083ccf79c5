package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/doctor"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/sandbox"
)

type doctorOptions struct {
	*options
	reports *reports
	mode    string
}

func doctorCommand(o *options) *cobra.Command {
	d := &doctorOptions{options: o}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what this host enforces, and attack the jail to prove it",
		Long: `Show what this host offers and which sandbox mode it gets, then attack the jail
from inside: every limit, and every known way out.

Exit status: 0 everything holds that the mode claims to enforce (what the mode
openly cannot do is shown as open), 1 something does not, 2 wrong usage or a mode
that this host does not have, 3 there is no jail to attack or an attack
could not be made, 130 interrupted.`,
		Example: "  judge doctor\n  judge doctor --mode rlimit --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("doctor takes no arguments, found %q (hint: judge doctor --help)", args[0]))
			}
			return d.run(cmd.Context())
		},
	}
	d.reports = o.report(cmd, "doctor.md", report.Names(report.DoctorFormats()))
	cmd.Flags().StringVar(&d.mode, "mode", string(sandbox.Auto), "`mode` of the sandbox: auto, container or rlimit")
	return cmd
}

func (d *doctorOptions) run(ctx context.Context) (err error) {
	mode := sandbox.Mode(d.mode)
	switch mode {
	case sandbox.Auto, sandbox.Container, sandbox.Rlimit:
	default:
		return usage(fmt.Errorf("--mode %q: no such mode (hint: the modes are auto, container, rlimit)", d.mode))
	}
	auto, err := choice(mode)
	if err != nil {
		return err
	}
	host, err := sandbox.Open(mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	sink := begin(d.reports, report.DoctorFormats())
	r, err := doctor.Examine(ctx, doctor.Options{
		Jail: host, Asked: mode, Auto: auto, Places: d.places(), Service: attackable(), Emit: sink.Event,
	})
	if err = sink.end(err); err == nil && r.Count.Broken > 0 {
		return status(exitNot)
	}
	return err
}

// choice returns the mode that auto would pick, if rlimit was asked for. It returns nil for other
// modes, because auto picks container if that works.
func choice(asked sandbox.Mode) (*doctor.Choice, error) {
	if asked != sandbox.Rlimit {
		return nil, nil
	}
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		return nil, fmt.Errorf("what auto would pick: %w", err)
	}
	return &doctor.Choice{Mode: host.Mechanisms().Mode, Notes: host.Notes()}, host.Close()
}

// places returns the folders that matter to the user. It works without a repository, and with a
// broken one.
func (d *doctorOptions) places() map[string]string {
	places := map[string]string{doctor.TempFolder: os.TempDir()}
	places[doctor.WorkingFolder], _ = os.Getwd()
	places[doctor.HomeFolder], _ = os.UserHomeDir()
	if root, err := d.findRoot(); err == nil {
		if c, err := config.Load(root); err == nil {
			places[doctor.CacheFolder] = c.CacheDir
		}
	}
	if places[doctor.CacheFolder] == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			places[doctor.CacheFolder] = filepath.Join(dir, "tribunal")
		}
	}
	return places
}
