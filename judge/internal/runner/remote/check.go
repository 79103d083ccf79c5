//go:build linux

package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Everything that a caller sends is treated as hostile. This file checks what a request may ask
// for; [shown] also checks the paths of the host that it names.

// The limits of a request.
const (
	maxNames      = 4096    // largest number of arguments, and of settings
	maxTexts      = 2 << 20 // bytes of arguments and settings together
	maxFiles      = 20_000  // files and folders in the request
	maxName       = 1000    // bytes of a path
	maxDepth      = 50      // folders around a file
	maxMounts     = 256
	maxWanted     = 64               // files and folders to copy out
	maxTime       = 10 * time.Minute // CPU and wall time: others may have to wait that long for a CPU
	maxGrace      = 10 * time.Second
	maxRunProcs   = 2048
	maxOutput     = 4 * limits.GiB
	maxMemory     = 1 << 50         // more than any host has, so that sums cannot overflow
	maxTranscript = 16 * limits.MiB // bytes of a transcript
	maxFolder     = 8 * limits.GiB  // temporary files, which count as the run's memory
)

// decode decodes a request and checks it.
func decode(data []byte) (r request, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return request{}, violation("%v", err)
	}
	if d.More() {
		return request{}, violation("more than a request")
	}
	if err := r.check(); err != nil {
		return request{}, err
	}
	return r, nil
}

// refusal returns an error about something that a request must not ask for.
func refusal(format string, args ...any) error {
	return fmt.Errorf("the runner service refuses: %s", fmt.Sprintf(format, args...))
}

func (r *request) check() error {
	count := 0
	errs := []error{r.Program.check(&count)}
	if p := r.Interactor; p != nil {
		errs = append(errs, p.Program.check(&count))
		if p.Transcript < 0 || p.Transcript > maxTranscript || len(p.Accepts) > 256 {
			errs = append(errs, refusal("a transcript of %v", p.Transcript))
		}
	}
	if r.Input < 0 {
		errs = append(errs, refusal("an input of %d bytes", r.Input))
	}
	if r.Grace < 0 || r.Grace > maxGrace {
		errs = append(errs, refusal("a grace of %v", r.Grace))
	}
	if len(r.CPUs) > 4096 {
		errs = append(errs, refusal("%d CPUs", len(r.CPUs)))
	}
	if count > maxFiles {
		errs = append(errs, refusal("more than %d files", maxFiles))
	}
	if _, ok := r.contents(); !ok {
		errs = append(errs, refusal("contents of a negative size, or of too large a sum"))
	}
	return errors.Join(errs...)
}

// lists returns all lists of files in the request, in the order of their contents.
func (p *program) lists() [][]file {
	list := [][]file{p.Files, p.In}
	for _, m := range p.Mounts {
		list = append(list, m.Files)
	}
	return list
}

// contents returns the total size of the files, without those to execute. ok is false if a size
// is negative or the sum overflows.
func (r *request) contents() (total int64, ok bool) {
	lists := append(r.Program.lists(), []file{{Size: r.Input}})
	if r.Interactor != nil {
		lists = append(lists, r.Interactor.Program.lists()...)
	}
	for _, list := range lists {
		for _, f := range list {
			if f.Size < 0 || total > math.MaxInt64-f.Size {
				return 0, false
			}
			total += f.Size
		}
	}
	return total, true
}

// ownFolder matches the folders below a jail's root that callers may add.
var ownFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/[a-z]{1,32}$`) })

// reserved lists the folders below a jail's root that callers must not use.
var reserved = []string{"/w", "/tmp", "/dev", "/proc", "/sys", "/etc", "/usr", "/bin", "/sbin", "/lib", "/opt", "/var", "/run", "/home", "/root", "/nix", "/gnu"}

func free(name string) bool {
	return ownFolder().MatchString(name) && !slices.Contains(reserved, name) && !strings.HasPrefix(name, "/lib")
}

func (p *program) check(files *int) error {
	size := 0
	for _, t := range slices.Concat(p.Args, p.Env) {
		size += len(t)
	}
	if len(p.Args) == 0 || len(p.Args) > maxNames || len(p.Env) > maxNames || size > maxTexts {
		return refusal("%d arguments and %d settings of %d bytes", len(p.Args), len(p.Env), size)
	}
	if err := p.checkLimits(); err != nil {
		return err
	}
	if err := p.checkPlaces(); err != nil {
		return err
	}
	for _, list := range p.lists() {
		if *files += len(list); *files > maxFiles {
			return refusal("more than %d files", maxFiles)
		}
		for _, f := range list {
			if !inside(string(f.Name)) || f.Mode&^(fs.ModeDir|fs.ModePerm) != 0 || f.Mode.IsDir() && f.Size != 0 {
				return refusal("a file called %q", f.Name)
			}
		}
	}
	if len(p.Out) > maxWanted {
		return refusal("more than %d copies", maxWanted)
	}
	for _, o := range p.Out {
		if !inside(o.Name) && o.Name != "." || o.Most < 0 || o.Files < 0 || o.Files > maxFiles {
			return refusal("a copy of %q", o.Name)
		}
	}
	return nil
}

// inside reports whether a name stays below the folder that it is relative to.
func inside(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= maxName && strings.Count(name, "/") <= maxDepth && !strings.Contains(name, "\x00")
}

// checkLimits requires every limit, so that nothing runs for ever.
func (p *program) checkLimits() error {
	l := p.Limits
	switch {
	case l.CPU <= 0 || l.CPU > maxTime || l.Wall <= 0 || l.Wall > maxTime:
		return refusal("limits of %v of CPU time and %v of wall time", l.CPU, l.Wall)
	case l.Memory < limits.MiB || l.Memory > maxMemory || l.Output <= 0 || l.Output > maxOutput:
		return refusal("limits of %v of memory and %v of output", l.Memory, l.Output)
	case l.Processes <= 0 || l.Processes > maxRunProcs || l.CPUs < 0 || l.CPUs > 4096:
		return refusal("limits of %d processes and %d CPUs", l.Processes, l.CPUs)
	case p.StderrMost < 0 || p.StderrMost > runner.MaxStderr:
		return refusal("to keep %v of standard error", p.StderrMost)
	case p.Temp < 0 || p.Temp > maxFolder || p.Folder.Size < 0 || p.Folder.Size > maxFolder:
		return refusal("temporary folders of %v and %v", p.Temp, p.Folder.Size)
	}
	return nil
}

// checkPlaces requires that no two folders of the jail have the same path, that files of the host
// keep their paths, and that the program to start is shown to the jail.
func (p *program) checkPlaces() error {
	if p.Folder != (sandbox.Folder{}) {
		if !free(p.Folder.Path) || p.Folder.Size < limits.MiB/16 || p.Folder.Mode&^fs.ModePerm != 0 {
			return refusal("a folder %q", p.Folder.Path)
		}
	} else if len(p.In)+len(p.Out) > 0 {
		return refusal("files without a folder for them")
	}
	if len(p.Mounts) > maxMounts {
		return refusal("more than %d mounts", maxMounts)
	}
	seen := map[string]bool{p.Folder.Path: true}
	for _, m := range p.Mounts {
		switch {
		case len(m.Path) > maxName || strings.ContainsAny(m.Path, "\x00\n,:\\"):
			return refusal("a mount at %q", m.Path)
		case seen[m.Path]:
			return refusal("two folders at %q", m.Path)
		case m.Sent && !free(m.Path):
			return refusal("a folder of files at %q", m.Path)
		case !m.Sent && (len(m.Files) > 0 || !path.IsAbs(m.Path) || path.Clean(m.Path) != m.Path || m.Path == "/"):
			return refusal("to show %q", m.Path)
		}
		seen[m.Path] = true
	}
	// A symbolic link in /proc would lead to files of the host that the jail's init has open.
	if p.Dir != "" && p.Dir != p.Folder.Path {
		return refusal("to start in %q", p.Dir)
	}
	tool := strings.ReplaceAll(string(p.Args[0]), "\x00", "") // see [sandbox.Anywhere]
	within := func(m mount) bool { return tool == m.Path || strings.HasPrefix(tool, m.Path+"/") }
	if !p.Exe && (path.Clean(tool) != tool || !slices.ContainsFunc(p.Mounts, within)) {
		return refusal("to execute %q, which the request does not show", tool)
	}
	return nil
}
