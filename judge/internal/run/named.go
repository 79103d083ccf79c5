package run

import (
	"io"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// namedFolder is where a program starts that reads or writes named files.
var namedFolder = sandbox.Folder{Path: "/work", Size: limits.GiB, Mode: 0o777}

// named reports whether the job reads or writes a named file.
func (j *Job) named() bool { return j.InFile != "" || j.OutFile != "" }

// place prepares a job with named files: the input becomes a file, and the output is copied out.
func (j *Job) place() {
	j.Folder, j.InFolder = namedFolder, true
	if j.InFile != "" {
		j.In = []runner.File{{Name: j.InFile, Mode: 0o644, Content: j.Input}}
		j.Input = content.Content{}
	}
	if j.OutFile != "" {
		most := namedFolder.Size
		if j.Limits.Output > 0 {
			most = j.Limits.Output + 1 // one more byte shows that the file is too long
		}
		j.Out = []runner.CopyOut{{Name: j.OutFile, Most: most}}
	}
}

// collect writes the named output of a run to the sink, and closes the copies. A file that the
// program has not written is an empty output, whatever it wrote to standard output; one beyond the
// limit stops the run, as too much standard output does.
func (j *Job) collect(r *runner.Reply, to Sink) error {
	defer r.Copies.Close()
	output := r.Copies.Get(j.OutFile)
	if output.Err != nil {
		r.Stdout = 0
		return nil
	}
	r.Stdout = output.Content.Size()
	if l := j.Limits.Output; l > 0 && limits.Bytes(output.Content.Size()) > l {
		r.Stop = sandbox.OverOutput
		return nil
	}
	if to == nil {
		return nil
	}
	_, err := io.Copy(writer{to}, output.Content.Reader())
	return err
}

// writer hides the other methods of a sink from io.Copy.
type writer struct{ io.Writer }
