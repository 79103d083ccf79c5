package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/report"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/yamlstrict"
)

// reports holds the reports that the flags of a command ask for. Each is checked, and its place
// opened, before the command runs. The report goes there, or an error if the command fails.
type reports struct {
	*options
	command string   // as users call it
	formats []string // that the command has
	values  []string // of --report
	aliases []alias
	written []*string // files that other flags write
	outputs []*output
	opened  bool
}

// alias is a flag that stands for a report in one format: with a file, or on standard output.
type alias struct {
	flag, format string
	file         *string // "" if it was not given
	on           *bool   // for a report on standard output; then file is nil
}

// request is a report that is asked for.
type request struct {
	flag, format string
	file         string // "" for standard output
}

// output is where one report goes.
type output struct {
	request
	*place
	told bool // the report is complete
}

// report adds the flags --report and --json to a command. --json stands for the command's document,
// or for its stream if it has no document; page is the file in docs/ that describes it.
func (o *options) report(cmd *cobra.Command, page string, formats []string) *reports {
	r := &reports{options: o, formats: formats, command: "judge " + cmd.Name()}
	cmd.Flags().StringArrayVar(&r.values, "report", nil,
		"write a report as `FORMAT[=FILE]`, by default to standard output; may be repeated (docs/reports.md). The formats: "+strings.Join(formats, ", "))
	format, what := report.Object, "print one JSON document"
	if !slices.Contains(formats, format) {
		format, what = report.Lines, "print events, one JSON object a line"
	}
	r.alias(cmd, "json", format, what+" (docs/"+page+")")
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error { return r.open(cmd.Context(), args) }
	o.reports[cmd] = r
	return r
}

// alias adds a flag that stands for a report on standard output.
func (r *reports) alias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, on: cmd.Flags().Bool(flag, false, usage)})
}

// fileAlias adds a flag that stands for a report in the file that it names.
func (r *reports) fileAlias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, file: cmd.Flags().String(flag, "", usage)})
}

// requests returns the reports that the flags ask for, and an error for each wrong flag.
func (r *reports) requests() (list []request, wrong []error) {
	for _, value := range r.values {
		format, file, named := strings.Cut(value, "=")
		q := request{"--report " + value, format, file}
		err := r.known(format)
		if err == nil && named && file == "" {
			err = errors.New("names no file (hint: without = it goes to standard output)")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", q.flag, err))
			continue
		}
		list = append(list, q)
	}
	for _, a := range r.aliases {
		switch {
		case a.on != nil && *a.on:
			list = append(list, request{"--" + a.flag, a.format, ""})
		case a.file != nil && *a.file != "":
			list = append(list, request{"--" + a.flag, a.format, *a.file})
		}
	}
	for i := range list {
		if list[i].file == "-" {
			list[i].file = ""
		}
	}
	return list, wrong
}

// known returns an error if the command does not have a format.
func (r *reports) known(format string) error {
	if slices.Contains(r.formats, format) {
		return nil
	}
	hint := "its formats are " + strings.Join(r.formats, ", ")
	if slices.Contains(report.AllNames(), format) {
		return fmt.Errorf("%s has no such report (hint: %s)", r.command, hint)
	}
	if near := yamlstrict.Nearest(format, r.formats); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("unknown format %q (hint: %s)", format, hint)
}

// open opens the reports that the flags ask for. It adds a report for people on standard output if
// there is no other one and no other report goes there. The error joins all that is wrong; the
// other reports are open even then.
func (r *reports) open(ctx context.Context, args []string) error {
	r.opened = true
	list, wrong := r.requests()
	reads := r.inputs(args)
	for _, q := range list {
		o, err := r.output(ctx, q, reads)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", q.flag, err))
			continue
		}
		r.outputs = append(r.outputs, o)
	}
	if err := together(wrong); err != nil {
		return err
	}
	taken := func(o *output) bool { return o.format == report.Text || o.path == "" && o.Writer == r.std.out }
	if !slices.ContainsFunc(r.outputs, taken) {
		o := &output{request: request{format: report.Text}, place: &place{Writer: r.std.out}}
		r.outputs = append(r.outputs, o)
	}
	return nil
}

// output opens the place of a report. It is an error if another report or flag writes there.
func (r *reports) output(ctx context.Context, q request, reads inputs) (*output, error) {
	p := &place{Writer: r.std.out}
	if q.file != "" {
		var err error
		if p, err = locate(r.std, q.file); err != nil {
			return nil, err
		}
	}
	for _, other := range r.outputs {
		if p.same(other.place) {
			return nil, fmt.Errorf("goes where %s goes (hint: name another file, as in --report %s=FILE)", other.flag, q.format)
		}
	}
	if p.path != "" {
		for _, file := range r.written {
			if other, err := locate(r.std, *file); *file != "" && err == nil && p.same(other) {
				return nil, errors.New("another flag names the same file (hint: name another file)")
			}
		}
		if err := reads.spare(p); err != nil {
			return nil, err
		}
		if err := p.open(ctx); err != nil {
			return nil, err
		}
	}
	return &output{request: q, place: p}, nil
}

// shown returns the writer of the report for people, or nil if there is no such report.
func (r *reports) shown() io.Writer {
	for _, o := range r.outputs {
		if o.format == report.Text {
			return o.Writer
		}
	}
	return nil
}

// instead writes a finding that takes the place of the report, such as that a submission does not
// compile: what it is about, and the lines of a program, indented from the second on. It goes where
// the report for people goes, or to standard error. The error that it returns carries the finding
// to all other reports.
func (r *reports) instead(about, lines string) error {
	w := r.shown()
	if w == nil {
		w = r.std.err
	}
	text := strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n    ")
	_ = tty.Put(w, tty.Sprintf("%s%s\n", about, tty.Lines(text)))
	return &answer{status(exitNot), about + text}
}

// answer is the error of instead: an exit status with the finding.
type answer struct {
	status
	text string
}

func (a *answer) Unwrap() error { return a.status }

// sinks holds a sink for each report.
type sinks[E any] struct {
	list    []report.Sink[E]
	r       *reports
	outputs []*output
	full    bool   // a report needs the details of every failing case
	live    bool   // a report has a live display
	stop    func() // ends the notes about the current stage
}

// begin returns the sinks of the reports, whose formats are among the given ones.
func begin[E any](r *reports, formats []report.Format[E]) *sinks[E] {
	s := &sinks[E]{r: r, stop: func() {}}
	for _, o := range r.outputs {
		f := formats[slices.IndexFunc(formats, func(f report.Format[E]) bool { return f.Name == o.format })]
		t := terminalOf(o.Writer)
		to := report.Output{Writer: o.Writer, Live: t.live && r.alone(o), Color: t.color, Width: t.width}
		s.list, s.outputs = append(s.list, f.New(to)), append(s.outputs, o)
		s.full = s.full || f.Full
		s.live = s.live || f.Name == report.Text && to.Live
	}
	return s
}

// alone reports whether no other report goes to a terminal, where its lines would mix with a live
// display.
func (r *reports) alone(o *output) bool {
	return !slices.ContainsFunc(r.outputs, func(other *output) bool { return other != o && tty.IsTerminal(other.Writer) })
}

// Event passes an event to all sinks. If no report has a live display, notes on standard error name
// a stage that takes long.
func (s *sinks[E]) Event(e E) {
	if begins, ok := any(e).(interface{ Doing() string }); ok && !s.live {
		s.stop()
		s.stop = s.r.std.doing(begins.Doing())
	}
	for _, sink := range s.list {
		sink.Event(e)
	}
}

// end closes the sinks. err is the error of the command, if any; then the reports are not complete.
// end returns it together with errors of the sinks.
func (s *sinks[E]) end(err error) error {
	s.stop()
	list := []error{err}
	for i, sink := range s.list {
		wrong := sink.Close()
		if absent, ok := errors.AsType[report.Absent](wrong); ok {
			s.r.std.note("%s", string(absent))
			continue
		}
		s.outputs[i].told = err == nil && wrong == nil
		list = append(list, wrong)
	}
	return errors.Join(list...)
}

// finish closes the places of the reports when the command has ended with err and code, and returns
// the exit code. If the command failed, an error takes the place of a document, and is the last
// line of a stream.
func (r *reports) finish(ctx context.Context, err error, code int, args []string) int {
	if !r.opened && err != nil { // a flag is wrong
		r.scan(args)
		_ = r.open(ctx, args)
	}
	texts := reasons(ctx, err)
	for _, o := range r.outputs {
		if len(texts) > 0 && !(o.format == report.Object && o.begun(r.std)) {
			has, _ := report.WriteError(o.format, o.Writer, code, texts)
			o.told = o.told || has
		}
		if err := o.close(o.told); err != nil {
			r.std.fault(fmt.Errorf("%s: %w", o.flag, err))
			code = max(code, exitFailed)
		}
	}
	return code
}

// begun reports whether a part of the report has been written. Notes on standard error do not
// count.
func (o *output) begun(std stdio) bool {
	w, ok := o.Writer.(*tty.Writer)
	return o.told || o.Writer != std.err && ok && w.Wrote()
}

// scan finds the flags for reports among arguments that could not be parsed, so that the error can
// be written where the user expects a report.
func (r *reports) scan(args []string) {
	r.values = nil
	for i, arg := range args {
		value, given := strings.CutPrefix(arg, "--report=")
		switch {
		case arg == "--":
			return
		case given:
			r.values = append(r.values, value)
		case arg == "--report" && i+1 < len(args):
			r.values = append(r.values, args[i+1])
		}
		for _, a := range r.aliases {
			if a.on != nil && arg == "--"+a.flag {
				*a.on = true
			}
		}
	}
}

// reasons returns the texts of the errors that were joined in err; none if it is only a status.
func reasons(ctx context.Context, err error) (texts []string) {
	if a, ok := errors.AsType[*answer](err); ok {
		return []string{a.text}
	}
	var said status
	switch {
	case err == nil || errors.As(err, &said):
		return nil
	case context.Cause(ctx) == errGone:
		return []string{errGone.Error()}
	case ctx.Err() != nil:
		return []string{"interrupted"}
	}
	for _, e := range apart(err) {
		texts = append(texts, e.Error())
	}
	return texts
}
