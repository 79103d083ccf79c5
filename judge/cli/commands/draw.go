package commands

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

type drawOptions struct {
	*cli.App
	out string
}

func DrawCommand(o *cli.App) *cobra.Command {
	d := &drawOptions{App: o}
	cmd := &cobra.Command{
		Use:   "draw [flags] PROBLEM CASE [OUTPUT]",
		Short: "Draw a case as an SVG picture",
		Long: `Draw a case of a problem as an SVG picture, with the problem's draw program, in the
sandbox: its input and its expected output. With OUTPUT, the file with a submission's
output ("-" for standard input), the picture also shows where that is wrong
(docs/problem-format.md).`,
		Example: `  judge draw marble sample/statement -o marble.svg
  judge draw slink edge/comb out.txt -o slink.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return cli.Usage(errors.New("draw needs a problem and a case (hint: judge draw marble sample/statement -o marble.svg)"))
			case len(args) > 3:
				return cli.Usage(fmt.Errorf("unexpected argument %q (hint: judge draw PROBLEM CASE [OUTPUT])", args[3]))
			}
			return d.run(cmd.Context(), args[0], args[1], args[2:])
		},
	}
	cmd.Flags().StringVarP(&d.out, "output", "o", "", "write the picture to this `file`")
	return cmd
}

func (d *drawOptions) run(ctx context.Context, id, name string, outputs []string) error {
	return d.WithProblem(ctx, id, 1, func(eng *engine.Engine, s *cli.Subject) error {
		set, err := s.Cases()
		if err != nil {
			return err
		}
		list, err := cases.Match(name, set.Cases)
		switch {
		case err != nil:
			return cli.Usage(err)
		case len(list) > 1:
			return cli.Usage(fmt.Errorf("%q matches %d cases (hint: name one, such as %s)", name, len(list), list[0].Name))
		}
		if err := cli.CheckFile("-o", d.out); err != nil {
			return err
		}
		var output []byte
		for _, file := range outputs {
			if output, err = d.readOutput(ctx, file); err != nil {
				return err
			}
		}
		m := s.CaseData(eng)
		if err := m.Prepare(ctx, list); err != nil {
			return err
		}
		picture, err := m.Draw(ctx, &list[0], output)
		if err != nil {
			return err
		}
		return d.WriteData(d.out, picture)
	}, problem.Draw)
}

// mostOutput is the largest size of an output that is drawn.
const mostOutput = 64 * limits.MiB

// readOutput reads a submission's output, from standard input if the file is "-". It does not return
// nil without an error.
func (d *drawOptions) readOutput(ctx context.Context, file string) ([]byte, error) {
	var in io.Reader = &cli.Interruptible{Ctx: ctx, In: d.Std.In}
	if file != "-" {
		f, info, err := regular.Open(file)
		if err == nil && info.IsDir() {
			f.Close()
			err = regular.ErrIrregular
		}
		if err != nil {
			e := yamlstrict.FileError(file, err)
			e.Hint = "name a file with a submission's output"
			return nil, e
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(mostOutput)+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, yamlstrict.FileError(file, err)
	case len(text) > int(mostOutput):
		return nil, cli.Usage(fmt.Errorf("%s: more than %v (hint: is it the right file?)", file, mostOutput))
	}
	return text, nil
}
