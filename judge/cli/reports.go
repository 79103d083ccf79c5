package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/yamlstrict"
)

// Reports holds the reports that the flags of a command request. The flags are checked and the
// destinations opened before the command runs. If the command fails, an error is written instead of
// the report.
type Reports struct {
	*App
	command string   // such as "judge grade"
	Formats []string // the formats of the command
	Folders []string // those of them that may be folders of several files
	values  []string // the values of --report
	aliases []alias
	Written []*string // the files that other flags write; may be ""
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

// Report adds the flags --report and --json to a command. --json requests the command's document,
// or its stream if it has no document; page is the file in docs/ that describes the format.
func (o *App) Report(cmd *cobra.Command, page string, formats []string) *Reports {
	r := &Reports{App: o, Formats: formats, command: "judge " + cmd.Name()}
	cmd.Flags().StringArrayVar(&r.values, "report", nil,
		"`FORMAT[=FILE]` of a report: "+strings.Join(formats, ", ")+"; may be repeated (docs/reports.md)")
	name, usage := format.JSON, "print one JSON document"
	if !slices.Contains(formats, name) {
		name, usage = format.NDJSON, "print events, one JSON object per line"
	}
	r.Alias(cmd, "json", name, usage+" (docs/"+page+")")
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error { return r.open(cmd.Context(), args) }
	o.Reports[cmd] = r
	return r
}

// Alias adds a flag that requests a report on standard output.
func (r *Reports) Alias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, on: cmd.Flags().Bool(flag, false, usage)})
}

// FileAlias adds a flag that requests a report in the file that it names.
func (r *Reports) FileAlias(cmd *cobra.Command, flag, format, usage string) {
	r.aliases = append(r.aliases, alias{flag: flag, format: format, file: cmd.Flags().String(flag, "", usage)})
}

// requests returns the reports that the flags request, and an error for each wrong flag.
func (r *Reports) requests() (list []request, wrong []error) {
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
func (r *Reports) known(name string) error {
	if slices.Contains(r.Formats, name) {
		return nil
	}
	hint := "the formats are " + strings.Join(r.Formats, ", ")
	if slices.Contains(format.AllNames(), name) {
		return fmt.Errorf("%s has no report in this format (hint: %s)", r.command, hint)
	}
	if near := yamlstrict.Nearest(name, r.Formats); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("unknown format %q (hint: %s)", name, hint)
}

// open opens the reports that the flags request. If no flag requests a text report and standard
// output is free, open adds a text report there. The error joins the errors of all flags; reports
// without an error are open nevertheless.
func (r *Reports) open(ctx context.Context, args []string) error {
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
	if err := JoinUserErrors(wrong); err != nil {
		return err
	}
	taken := func(o *output) bool { return o.format == format.Terminal || o.path == "" && o.Writer == r.Std.Out }
	if !slices.ContainsFunc(r.outputs, taken) {
		o := &output{request: request{format: format.Terminal}, place: &place{Writer: r.Std.Out}}
		r.outputs = append(r.outputs, o)
	}
	return nil
}

// Writes reports whether a report in a format is open.
func (r *Reports) Writes(format string) bool {
	return slices.ContainsFunc(r.outputs, func(o *output) bool { return o.format == format })
}

// output opens the destination of a report. It returns an error if another report or flag writes to
// the same file.
func (r *Reports) output(ctx context.Context, q request, reads inputs) (*output, error) {
	p := &place{Writer: r.Std.Out}
	switch folder := strings.HasSuffix(q.file, "/") && slices.Contains(r.Folders, q.format); {
	case folder:
		path, err := filepath.Abs(q.file)
		if err != nil {
			return nil, err
		}
		p = &place{Writer: io.Discard, name: q.file, path: path, folder: true}
	case q.file != "":
		var err error
		if p, err = locate(r.Std, q.file); err != nil {
			return nil, err
		}
	}
	for _, other := range r.outputs {
		if p.same(other.place) {
			return nil, fmt.Errorf("writes to the same place as %s (hint: name another file, as in --report %s=FILE)", other.flag, q.format)
		}
	}
	if p.path != "" {
		for _, file := range r.Written {
			if other, err := locate(r.Std, *file); *file != "" && err == nil && p.same(other) {
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

// Shown returns the writer of the text report, or nil if there is none.
func (r *Reports) Shown() io.Writer {
	for _, o := range r.outputs {
		if o.format == format.Terminal {
			return o.Writer
		}
	}
	return nil
}

// Notes returns the destination of notes beside the reports, which is standard error. It is live if
// there is a text report and no other report is on a terminal.
func (r *Reports) Notes() format.Output {
	t := r.Std.Terminal(r.Std.Err)
	return format.Output{Writer: r.Std.Err, Live: t.Live && r.Shown() != nil && !r.beside(), Color: t.Color, Width: t.Width}
}

// beside reports whether a report other than text is on a terminal.
func (r *Reports) beside() bool {
	return slices.ContainsFunc(r.outputs, func(o *output) bool { return o.format != format.Terminal && tty.IsTerminal(o.Writer) })
}

// WriteFinding writes a finding, such as that a submission does not compile, in place of the
// report. It writes about and then lines, the output of a program, which it indents from the second
// line on. It writes to the destination of the text report, or else to standard error. The error
// that it returns carries the finding to all other reports.
func (r *Reports) WriteFinding(about, lines string) error {
	w := r.Shown()
	if w == nil {
		w = r.Std.Err
	}
	text := strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n    ")
	_ = tty.Put(w, tty.Sprintf("%s%s\n", about, tty.Lines(text)))
	return &findingError{Status(ExitNot), about + text}
}

// findingError is the error that WriteFinding returns: an exit status with the text of the finding.
type findingError struct {
	Status
	text string
}

func (a *findingError) Unwrap() error { return a.Status }

// Sinks passes the events of a command to its reports.
type Sinks struct {
	list    []format.Sink
	r       *Reports
	outputs []*output     // the report of each sink
	Full    bool          // whether a report needs the details of every failing case
	Drawn   bool          // whether a report shows drawings of failing cases
	Live    bool          // whether a report shows what goes on
	free    bool          // whether standard error can show a progress bar
	stage   *Announcement // the current stage; nil before the first
}

// Begin returns a sink for each report. formats must include the formats of all reports.
func Begin(r *Reports, formats []format.Format) *Sinks {
	s := &Sinks{r: r, free: r.Std.LiveErr() && !r.beside()}
	for _, o := range r.outputs {
		f := formats[slices.IndexFunc(formats, func(f format.Format) bool { return f.Name == o.format })]
		t := r.Std.Terminal(o.Writer)
		to := format.Output{Writer: o.Writer, Folder: o.folderPath(), Live: t.Live && r.alone(o), Color: t.Color, Width: t.Width}
		s.list, s.outputs = append(s.list, f.New(to)), append(s.outputs, o)
		s.Full, s.Drawn = s.Full || f.Full, s.Drawn || f.Pictures
		s.Live = s.Live || f.Draws && to.Live
	}
	return s
}

// alone reports whether o is the only report on a terminal. The lines of another report there would
// break a live display.
func (r *Reports) alone(o *output) bool {
	return !slices.ContainsFunc(r.outputs, func(other *output) bool { return other != o && tty.IsTerminal(other.Writer) })
}

// Event passes an event to all sinks. If no report shows what goes on and a stage takes long,
// standard error names the stage and counts its parts.
func (s *Sinks) Event(e event.Event) {
	stage, begins := e.(interface{ StageName() string })
	counts, moves := e.(interface{ Counts() (done, total int) })
	if begins && !s.Live && !(s.stage != nil && s.stage.what == stage.StageName()) {
		s.stop()
		s.stage = s.r.Std.Follow(stage.StageName(), s.free)
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
		s.stage.Count(counts.Counts())
		pass()
	default:
		s.stage.Interrupt(pass)
	}
}

// stop ends the display of the current stage.
func (s *Sinks) stop() {
	if s.stage != nil {
		s.stage.Stop()
	}
}

// End closes the sinks. err is the error of the command; if it is not nil, the reports are
// incomplete. End returns err joined with the errors of the sinks.
func (s *Sinks) End(err error) error {
	s.stop()
	list := []error{err}
	for i, sink := range s.list {
		wrong := sink.Close()
		if absent, ok := errors.AsType[format.Absent](wrong); ok {
			s.r.Std.Note("%s", string(absent))
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
func (r *Reports) finish(ctx context.Context, err error, code int, args []string) int {
	if !r.opened && err != nil { // a flag is wrong
		r.scan(args)
		_ = r.open(ctx, args)
	}
	texts := reasons(ctx, err)
	for _, o := range r.outputs {
		if len(texts) > 0 && !(format.IsDocument(o.format) && o.begun(r.Std)) {
			written, err := format.WriteError(o.format, o.Writer, code, texts)
			o.complete = (o.complete || written) && err == nil
		}
		if err := o.close(o.complete); err != nil {
			r.Std.PrintError(o.located(err))
			code = max(code, ExitFailed)
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
func (o *output) begun(std Stdio) bool {
	w, ok := o.Writer.(*tty.Writer)
	return o.complete || o.Writer != std.Err && ok && w.Wrote()
}

// scan finds the flags for reports in arguments that could not be parsed, so that the error can be
// written to the reports that the user requested.
func (r *Reports) scan(args []string) {
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
	var code Status
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
