package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/yamlstrict"
)

// reports holds the reports that the flags of a command request. The flags are checked and the
// destinations opened before the command runs. If the command fails, an error is written instead of
// the report.
type reports struct {
	*options
	command string   // such as "judge grade"
	formats []string // the formats of the command
	values  []string // the values of --report
	aliases []alias
	written []*string // the files that other flags write; may be ""
	outputs []*output // the opened reports
	opened  bool      // whether open was called
}

// alias is a flag that requests a report in one format, in the file that it names or on standard
// output.
type alias struct {
	flag, format string
	file         *string // the file that the flag names; "" if the flag was not given
	on           *bool   // whether a flag without a file was given; then file is nil
}

// request is a requested report.
type request struct {
	flag, format string
	file         string // "" for standard output
}

// output is a report and its opened destination.
type output struct {
	request
	*place
	complete bool // whether the whole report has been written
}

// report adds the flags --report and --json to a command. --json requests the command's document,
// or its stream if it has no document; page is the file in docs/ that describes the format.
func (o *options) report(cmd *cobra.Command, page string, formats []string) *reports {
	r := &reports{options: o, formats: formats, command: "judge " + cmd.Name()}
	cmd.Flags().StringArrayVar(&r.values, "report", nil,
		"`FORMAT[=FILE]` of a report: "+strings.Join(formats, ", ")+"; may be repeated (docs/reports.md)")
	name, usage := format.Object, "print one JSON document"
	if !slices.Contains(formats, name) {
		name, usage = format.Lines, "print events, one JSON object per line"
	}
	r.alias(cmd, "json", name, usage+" (docs/"+page+")")
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error { return r.open(cmd.Context(), args) }
	o.reports[cmd] = r
	return r
}

// alias adds a flag that requests a report on standard output.
func (r *reports) alias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, on: cmd.Flags().Bool(flag, false, usage)})
}

// fileAlias adds a flag that requests a report in the file that it names.
func (r *reports) fileAlias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, file: cmd.Flags().String(flag, "", usage)})
}

// requests returns the reports that the flags request, and an error for each wrong flag.
func (r *reports) requests() (list []request, wrong []error) {
	for _, value := range r.values {
		format, file, named := strings.Cut(value, "=")
		q := request{"--report " + value, format, file}
		err := r.known(format)
		if err == nil && named && file == "" {
			err = errors.New("names no file (hint: without = the report goes to standard output)")
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
func (r *reports) known(name string) error {
	if slices.Contains(r.formats, name) {
		return nil
	}
	hint := "the formats are " + strings.Join(r.formats, ", ")
	if slices.Contains(format.AllNames(), name) {
		return fmt.Errorf("%s has no report in this format (hint: %s)", r.command, hint)
	}
	if near := yamlstrict.Nearest(name, r.formats); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("unknown format %q (hint: %s)", name, hint)
}

// open opens the reports that the flags request. If no flag requests a text report and standard
// output is free, open adds a text report there. The error joins the errors of all flags; reports
// without an error are open nevertheless.
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
	if err := joinUserErrors(wrong); err != nil {
		return err
	}
	taken := func(o *output) bool { return o.format == format.Text || o.path == "" && o.Writer == r.std.out }
	if !slices.ContainsFunc(r.outputs, taken) {
		o := &output{request: request{format: format.Text}, place: &place{Writer: r.std.out}}
		r.outputs = append(r.outputs, o)
	}
	return nil
}

// output opens the destination of a report. It returns an error if another report or flag writes to
// the same file.
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
			return nil, fmt.Errorf("writes to the same place as %s (hint: name another file, as in --report %s=FILE)", other.flag, q.format)
		}
	}
	if p.path != "" {
		for _, file := range r.written {
			if other, err := locate(r.std, *file); *file != "" && err == nil && p.same(other) {
				return nil, errors.New("another flag names the same file (hint: name another file)")
			}
		}
		if err := reads.protect(p); err != nil {
			return nil, err
		}
		if err := p.open(ctx); err != nil {
			return nil, err
		}
	}
	return &output{request: q, place: p}, nil
}

// shown returns the writer of the text report, or nil if there is none.
func (r *reports) shown() io.Writer {
	for _, o := range r.outputs {
		if o.format == format.Text {
			return o.Writer
		}
	}
	return nil
}

// notes returns the destination of notes beside the reports, which is standard error. It is live if
// there is a text report and no other report is on a terminal.
func (r *reports) notes() format.Output {
	t := r.std.terminal(r.std.err)
	return format.Output{Writer: r.std.err, Live: t.live && r.shown() != nil && !r.beside(), Color: t.color, Width: t.width}
}

// beside reports whether a report other than text is on a terminal.
func (r *reports) beside() bool {
	return slices.ContainsFunc(r.outputs, func(o *output) bool { return o.format != format.Text && tty.IsTerminal(o.Writer) })
}

// writeFinding writes a finding, such as that a submission does not compile, in place of the
// report. It writes about and then lines, the output of a program, which it indents from the second
// line on. It writes to the destination of the text report, or else to standard error. The error
// that it returns carries the finding to all other reports.
func (r *reports) writeFinding(about, lines string) error {
	w := r.shown()
	if w == nil {
		w = r.std.err
	}
	text := strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n    ")
	_ = tty.Put(w, tty.Sprintf("%s%s\n", about, tty.Lines(text)))
	return &findingError{status(exitNot), about + text}
}

// findingError is the error that writeFinding returns: an exit status with the text of the finding.
type findingError struct {
	status
	text string
}

func (a *findingError) Unwrap() error { return a.status }

// sinks passes the events of a command to its reports.
type sinks struct {
	list    []format.Sink
	r       *reports
	outputs []*output     // the report of each sink
	full    bool          // whether a report needs the details of every failing case
	drawn   bool          // whether a report shows drawings of failing cases
	live    bool          // whether a report shows what goes on
	free    bool          // whether standard error can show a progress bar
	stage   *announcement // the current stage; nil before the first
}

// begin returns a sink for each report. formats must include the formats of all reports.
func begin(r *reports, formats []format.Format) *sinks {
	s := &sinks{r: r, free: r.std.liveErr() && !r.beside()}
	for _, o := range r.outputs {
		f := formats[slices.IndexFunc(formats, func(f format.Format) bool { return f.Name == o.format })]
		t := r.std.terminal(o.Writer)
		to := format.Output{Writer: o.Writer, Live: t.live && r.alone(o), Color: t.color, Width: t.width}
		s.list, s.outputs = append(s.list, f.New(to)), append(s.outputs, o)
		s.full, s.drawn = s.full || f.Full, s.drawn || f.Pictures
		s.live = s.live || f.Draws && to.Live
	}
	return s
}

// alone reports whether o is the only report on a terminal. The lines of another report there would
// break a live display.
func (r *reports) alone(o *output) bool {
	return !slices.ContainsFunc(r.outputs, func(other *output) bool { return other != o && tty.IsTerminal(other.Writer) })
}

// Event passes an event to all sinks. If no report shows what goes on and a stage takes long,
// standard error names the stage and counts its parts.
func (s *sinks) Event(e event.Event) {
	stage, begins := e.(interface{ StageName() string })
	counts, moves := e.(interface{ Counts() (done, total int) })
	if begins && !s.live && !(s.stage != nil && s.stage.what == stage.StageName()) {
		s.stop()
		s.stage = s.r.std.follow(stage.StageName(), s.free)
	}
	pass := func() {
		for _, sink := range s.list {
			sink.Event(e)
		}
	}
	switch {
	case s.stage == nil:
		pass()
	case moves: // nothing writes to a terminal then
		s.stage.count(counts.Counts())
		pass()
	default:
		s.stage.interrupt(pass)
	}
}

// stop ends the display of the current stage.
func (s *sinks) stop() {
	if s.stage != nil {
		s.stage.stop()
	}
}

// end closes the sinks. err is the error of the command; if it is not nil, the reports are
// incomplete. end returns err joined with the errors of the sinks.
func (s *sinks) end(err error) error {
	s.stop()
	list := []error{err}
	for i, sink := range s.list {
		wrong := sink.Close()
		if absent, ok := errors.AsType[format.Absent](wrong); ok {
			s.r.std.note("%s", string(absent))
			continue
		}
		s.outputs[i].complete = err == nil && wrong == nil
		list = append(list, s.outputs[i].located(wrong))
	}
	return errors.Join(list...)
}

// finish closes the reports of a command that returned err and would exit with code, and returns
// the exit code. If the command failed, finish writes the error in place of a document or as the
// last line of a stream.
func (r *reports) finish(ctx context.Context, err error, code int, args []string) int {
	if !r.opened && err != nil { // a flag is wrong
		r.scan(args)
		_ = r.open(ctx, args)
	}
	texts := reasons(ctx, err)
	for _, o := range r.outputs {
		if len(texts) > 0 && !(format.IsDocument(o.format) && o.begun(r.std)) {
			written, err := format.WriteError(o.format, o.Writer, code, texts)
			o.complete = (o.complete || written) && err == nil
		}
		if err := o.close(o.complete); err != nil {
			r.std.printError(o.located(err))
			code = max(code, exitFailed)
		}
	}
	return code
}

// located adds the flag to an error of writing the report, and the file as the user named it.
func (o *output) located(err error) error {
	if err == nil || o.flag == "" {
		return err
	}
	if o.path != "" {
		err = pathError(o.name, err)
	}
	return fmt.Errorf("%s: %w", o.flag, err)
}

// begun reports whether a part of the report has been written. Notes on standard error do not
// count.
func (o *output) begun(std stdio) bool {
	w, ok := o.Writer.(*tty.Writer)
	return o.complete || o.Writer != std.err && ok && w.Wrote()
}

// scan finds the flags for reports in arguments that could not be parsed, so that the error can be
// written to the reports that the user requested.
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

// reasons returns the text of each error that was joined in err; none if err is only a status.
func reasons(ctx context.Context, err error) (texts []string) {
	if a, ok := errors.AsType[*findingError](err); ok {
		return []string{a.text}
	}
	var code status
	switch {
	case err == nil || errors.As(err, &code):
		return nil
	case context.Cause(ctx) == errGone:
		return []string{errGone.Error()}
	case ctx.Err() != nil:
		return []string{"interrupted"}
	}
	for _, e := range unjoin(err) {
		texts = append(texts, e.Error())
	}
	return texts
}
