package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/lab/findings"
)

type doctorOptions struct {
	*cli.App
	reports *cli.Reports
	mode    string
}

func DoctorCommand(o *cli.App) *cobra.Command {
	d := &doctorOptions{App: o}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what the sandbox enforces on this host, and attack it",
		Long: `Show what this host offers and which sandbox mode it supports. Then attack the
sandbox from inside: try to exceed every limit and to escape in every known way.
Attacks that the mode does not claim to stop are shown as open.

The exit status is 1 if an attack succeeded that the mode claims to stop, 2 if this host
does not support the mode, and 3 if the sandbox or an attack could not be started.`,
		Example: "  judge doctor\n  judge doctor --mode rlimit --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("doctor takes no arguments, found %q (hint: judge doctor --help)", args[0]))
			}
			return d.run(cmd.Context())
		},
	}
	d.reports = o.Report(cmd, "doctor.md", format.Names(findings.DoctorFormats()))
	cmd.Flags().StringVar(&d.mode, "mode", string(sandbox.Auto), "sandbox `mode`: auto, container or rlimit")
	return cmd
}

func (d *doctorOptions) run(ctx context.Context) (err error) {
	mode := sandbox.Mode(d.mode)
	switch mode {
	case sandbox.Auto, sandbox.Container, sandbox.Rlimit:
	default:
		return cli.Usage(fmt.Errorf("--mode %q: unknown mode (hint: the modes are auto, container, rlimit)", d.mode))
	}
	auto, err := autoChoice(mode)
	if err != nil {
		return err
	}
	host, err := sandbox.Open(mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	sink := cli.Begin(d.reports, findings.DoctorFormats())
	r, err := doctor.Examine(ctx, doctor.Options{
		Jail: host, Asked: mode, Auto: auto, Places: d.places(), Emit: sink.Event,
	})
	if err = sink.End(err); err == nil && r.Count.Broken > 0 {
		return cli.Status(cli.ExitNot)
	}
	return err
}

// autoChoice returns the mode that auto would pick, so that a user of rlimit can compare the two.
// It returns nil for the other modes: auto itself, and container, which auto prefers anyway.
func autoChoice(asked sandbox.Mode) (*doctor.Choice, error) {
	if asked != sandbox.Rlimit {
		return nil, nil
	}
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		return nil, fmt.Errorf("opening the sandbox in mode auto: %w", err)
	}
	return &doctor.Choice{Mode: host.Mechanisms().Mode, Notes: host.Notes()}, host.Close()
}

// places returns the folders of the user that programs in the sandbox must not see, by their names.
// It works without a repository, and with a configuration that has errors.
func (d *doctorOptions) places() map[string]string {
	places := map[string]string{doctor.TempFolder: os.TempDir()}
	places[doctor.WorkingFolder], _ = os.Getwd()
	places[doctor.HomeFolder], _ = os.UserHomeDir()
	if root, err := d.FindRoot(); err == nil {
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
