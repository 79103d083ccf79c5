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
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Everything that a caller sends is hostile. What follows is what a request may be; the rest
// is refused, and the paths of the host that it names are looked at once more by [shown].

// How much a request may be and ask for.
const (
	maxNames    = 4096    // arguments, settings
	maxTexts    = 2 << 20 // bytes of both
	maxFiles    = 20_000  // files and folders that come along
	maxName     = 1000    // bytes of a path
	maxDepth    = 50      // folders around a file
	maxMounts   = 256
	maxWanted   = 64               // names to copy out
	maxTime     = 10 * time.Minute // limits of time: how long others may have to wait in the line
	maxGrace    = 10 * time.Second
	maxRunProcs = 2048
	maxOutput   = 4 * limits.GiB
	maxMemory   = 1 << 50         // nobody has so much: it is a bound for sums
	maxSaid     = 16 * limits.MiB // of a transcript
	maxFolder   = 8 * limits.GiB  // of temporary files, which are the run's memory
)

// decode reads a request, and refuses what none may be.
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

// refusal is an error about what a request asks for.
func refusal(format string, args ...any) error {
	return fmt.Errorf("the runner service refuses: %s", fmt.Sprintf(format, args...))
}

func (r *request) check() error {
	count := 0
	errs := []error{r.Program.check(&count)}
	if p := r.Interactor; p != nil {
		errs = append(errs, p.Program.check(&count))
		if p.Transcript < 0 || p.Transcript > maxSaid || len(p.Accepts) > 256 {
			errs = append(errs, refusal("a transcript of %v", p.Transcript))
		}
	}
	if r.Input < 0 || r.Grace < 0 || r.Grace > maxGrace || len(r.CPUs) > 4096 {
		errs = append(errs, refusal("a grace of %v", r.Grace))
	}
	if count > maxFiles {
		errs = append(errs, refusal("more than %d files", maxFiles))
	}
	if _, ok := r.contents(); !ok {
		errs = append(errs, refusal("more contents than there can be"))
	}
	return errors.Join(errs...)
}

// lists are all lists of files that come along, in the order of their contents.
func (p *program) lists() [][]file {
	list := [][]file{p.Files, p.In}
	for _, m := range p.Mounts {
		list = append(list, m.Files)
	}
	return list
}

// contents returns the size of all that comes along besides what is executed.
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

// ownFolder is a folder right below a jail's root that callers may have one of their own at.
var ownFolder = regexp.MustCompile(`^/[a-z]{1,32}$`)

// taken are the names below a jail's root that are not for callers.
var taken = []string{"/w", "/tmp", "/dev", "/proc", "/sys", "/etc", "/usr", "/bin", "/sbin", "/lib", "/opt", "/var", "/run", "/home", "/root", "/nix", "/gnu"}

func free(name string) bool {
	return ownFolder.MatchString(name) && !slices.Contains(taken, name) && !strings.HasPrefix(name, "/lib")
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

// inside reports whether a name is one of a file below a folder.
func inside(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= maxName && strings.Count(name, "/") <= maxDepth && !strings.Contains(name, "\x00")
}

// checkLimits wants every limit that a run can have: nothing runs for ever.
func (p *program) checkLimits() error {
	l := p.Limits
	switch {
	case l.CPU <= 0 || l.CPU > maxTime || l.Wall <= 0 || l.Wall > maxTime:
		return refusal("limits of %v of CPU time and %v of wall time", l.CPU, l.Wall)
	case l.Memory < limits.MiB || l.Memory > maxMemory || l.Output <= 0 || l.Output > maxOutput:
		return refusal("limits of %v of memory and %v of output", l.Memory, l.Output)
	case l.Processes <= 0 || l.Processes > maxRunProcs || l.CPUs < 0 || l.CPUs > 4096:
		return refusal("limits of %d processes and %d CPUs", l.Processes, l.CPUs)
	case p.Temp < 0 || p.Temp > maxFolder || p.Folder.Size < 0 || p.Folder.Size > maxFolder:
		return refusal("temporary folders of %v and %v", p.Temp, p.Folder.Size)
	}
	return nil
}

// checkPlaces wants each folder of the jail at a place of its own, nothing of the host at
// another than its own, and nothing started that is not shown.
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
	// Not a link of /proc: the first process of a jail may have something of the host open.
	if p.Dir != "" && p.Dir != p.Folder.Path {
		return refusal("to start in %q", p.Dir)
	}
	tool := strings.ReplaceAll(string(p.Args[0]), "\x00", "") // see [sandbox.Anywhere]
	within := func(m mount) bool { return tool == m.Path || strings.HasPrefix(tool, m.Path+"/") }
	if !p.Exe && (path.Clean(tool) != tool || !slices.ContainsFunc(p.Mounts, within)) {
		return refusal("to execute %q, which it has not been asked to show", tool)
	}
	return nil
}
