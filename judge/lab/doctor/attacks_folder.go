//go:build linux

package doctor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// checkFolder describes the box of validators and compilers, which has a folder that the judge
// copies files into and out of.
var checkFolder = sandbox.Spec{Dir: "/check", Folder: sandbox.Folder{Path: "/check", Size: 16 * limits.MiB, Mode: 0o777}}

// folderAttacks are attacks on host folders that a jail shows, and on the judge while it copies
// files in and out.
func folderAttacks() []attack {
	const shown, in, out = "mounts", "files copied in", "files copied out"
	list := []attack{
		{name: "mounts-writable", group: shown, what: "a writable mount of the host", want: "none", do: writableMounts, scene: lookForWritable, open: inRlimit},
		{name: "mounts-folder", group: shown, what: "a writable mount for a validator", want: "none", do: writableMounts, scene: lookForWritable, spec: checkFolder, open: inRlimit},
		{name: "mounts-shown", group: shown, what: "write to a folder that is shown", want: "EROFS", scene: writeToShown, open: inRlimit},
		{name: "in-links", group: in, what: "links that await the next files", want: "gone", scene: putThroughLinks},
	}
	for _, kind := range leftovers {
		list = append(list, attack{
			name: "out-" + kind.name, group: out, what: kind.what, want: kind.want, spec: checkFolder, open: kind.open,
			stops: []sandbox.StopReason{sandbox.OverOutput}, // in rlimit mode, if the folder is too large
			// What it leaves counts, and on a busy host its many files can take long.
			limits: func(l *limits.Limits) { l.CPU = 30 * time.Second },
			scene:  func(s *scene) (outcome, error) { return collectLeftover(s, kind) },
		})
	}
	return list
}

// folderPayloads returns the payloads of these attacks.
func folderPayloads() map[string]payload {
	all := map[string]payload{
		"write-shown": writeShown,
		"plant-links": func(w *hostInfo) outcome {
			return planted(os.Symlink(w.Victim, "input"), os.Symlink(filepath.Dir(w.Victim), "folder"), os.Symlink(w.Victim+"-new", "new"))
		},
	}
	for _, kind := range leftovers {
		all["leftover-"+kind.name] = func(w *hostInfo) outcome { return planted(kind.plant(w)) }
	}
	return all
}

// planted is the outcome of a payload that leaves something for the judge to stumble over.
func planted(errs ...error) outcome {
	if err := errors.Join(errs...); err != nil {
		return held("cannot: %s", errorName(err))
	}
	return held("left")
}

// writableMounts looks for a writable mount of a file system of the host.
func writableMounts(w *hostInfo) outcome {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return broke("cannot look: %s", errorName(err))
	}
	mounts := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // see proc_pid_mountinfo(5)
		if len(fields) < 6 {
			return broke("cannot read %q", line)
		}
		mounts++
		if slices.Contains(strings.Split(fields[5], ","), "rw") && slices.Contains(w.Devices, fields[2]) {
			return broke("%s is writable", fields[4])
		}
	}
	if mounts == 0 {
		return broke("no mounts are visible")
	}
	return held("none")
}

// lookForWritable runs the payload of an attack for writable mounts. If it finds one, it looks again
// with the file systems that the host has now: one may have been unmounted since the lab was opened,
// and the kernel gives its number to the next, such as one of the jail's own.
func lookForWritable(s *scene) (outcome, error) {
	o, err := s.run(s.attack.name)
	if !o.Broke || err != nil {
		return o, err
	}
	now, again := *s.lab, *s
	if now.host.Devices, err = hostDevices(); err != nil {
		return outcome{}, err
	}
	again.lab = &now
	return again.run(s.attack.name)
}

// hostDevices returns the device numbers of the file systems that are mounted on this host.
func hostDevices() ([]string, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 2 && !slices.Contains(list, fields[2]) {
			list = append(list, fields[2])
		}
	}
	return list, nil
}

// shownFolder is the path at which a box shows the lab's openDir.
const shownFolder = "/shown"

// writeToShown runs the payload in a box that shows a folder of the host to which all accounts may
// write.
func writeToShown(s *scene) (outcome, error) {
	box, err := s.lab.jail.NewBox(sandbox.Spec{Mounts: []sandbox.Mount{{Source: s.lab.openDir, Target: shownFolder}}})
	if err != nil {
		return outcome{}, fmt.Errorf("no jail: %w", err)
	}
	defer box.Close()
	s.box = box
	o, err := s.run("write-shown")
	if text, readErr := os.ReadFile(s.lab.host.Victim); string(text) != victimText || readErr != nil {
		return broke("changed a file of the host"), err
	}
	return o, err
}

// writeShown tries every way to change the shown folder or a file in it.
func writeShown(w *hostInfo) outcome {
	victim := filepath.Join(shownFolder, filepath.Base(w.Victim))
	if _, err := os.ReadFile(victim); err != nil {
		return broke("cannot see it: %s", errorName(err))
	}
	seen := held("nothing tried")
	for _, try := range []func() error{
		func() error { return os.WriteFile(victim, []byte("changed"), 0o666) },
		func() error { return os.WriteFile(shownFolder+"/new", nil, 0o666) },
		func() error { return os.Truncate(victim, 0) },
		func() error { return os.Remove(victim) },
		func() error { return os.Rename(victim, victim+"2") },
		func() error { return os.Symlink("x", shownFolder+"/link") },
		func() error { return os.Link(victim, "/w/link") },
		func() error { return os.Chmod(victim, 0o600) },
		func() error { return os.Chmod(shownFolder, 0o700) },
		func() error { return os.Chtimes(victim, time.Unix(1, 0), time.Unix(1, 0)) },
		func() error { return unix.Setxattr(victim, "user.x", []byte("x"), 0) },
	} {
		err := try()
		if err == nil {
			return broke("allowed")
		}
		if o := refused(err, unix.EXDEV, unix.EOPNOTSUPP); o.Broke {
			return o
		}
		if errors.Is(err, unix.EROFS) {
			seen = held("%s", errorName(err))
		}
	}
	return seen
}

// putThroughLinks has one run plant links to a file of the host, and then has the judge copy files
// in under the names of the links.
func putThroughLinks(s *scene) (outcome, error) {
	box, err := s.lab.jail.NewBox(checkFolder)
	if err != nil {
		return outcome{}, fmt.Errorf("no jail: %w", err)
	}
	defer box.Close()
	s.box = box
	if o, err := s.run("plant-links"); o.Broke || err != nil {
		return o, err
	}
	s.placed = []sandbox.File{
		{Name: "input", Mode: 0o666, Data: []byte("written")}, {Name: "new", Mode: 0o666, Data: []byte("written")},
		{Name: "folder/victim", Mode: 0o666, Data: []byte("written")},
	}
	o, err := s.run(doNothing)
	if text, readErr := os.ReadFile(s.lab.host.Victim); string(text) != victimText || readErr != nil {
		return broke("changed a file of the host"), err
	}
	if _, statErr := os.Lstat(s.lab.host.Victim + "-new"); statErr == nil {
		return broke("made a file of the host"), err
	}
	return o, err
}

// leftover is something that a program leaves under the name of a file that the judge reads.
type leftover struct {
	name, what, want string
	plant            func(w *hostInfo) error
	open             func(sandbox.Mechanisms) string // as attack.open
}

const leftName = "judgemessage.txt"

var leftovers = []leftover{
	{name: "link", what: "a link to a file of the host", want: "not taken", plant: func(w *hostInfo) error { return os.Symlink(w.Secret, leftName) }},
	{name: "links", what: "a chain of links to a host file", want: "not taken", plant: func(w *hostInfo) error {
		return errors.Join(os.Symlink("b", leftName), os.Symlink("c", "b"), os.Symlink(w.Secret, "c"))
	}},
	{name: "up", what: "a link by .. to a host file", want: "not taken", plant: func(w *hostInfo) error { return os.Symlink("../../../../../../../.."+w.Secret, leftName) }},
	{name: "process", what: "a link to a file the judge opened", want: "not taken", plant: func(w *hostInfo) error {
		return os.Symlink(fmt.Sprintf("/proc/%d/fd/%d", w.Judge, w.SecretFD), leftName)
	}},
	{name: "self", what: "a link to a file its reader opened", want: "not taken", plant: func(w *hostInfo) error {
		return os.Symlink(fmt.Sprintf("/proc/self/fd/%d", w.SecretFD), leftName)
	}},
	{name: "hard", what: "a hard link to a file of the host", want: "not taken", plant: func(w *hostInfo) error { return os.Link(w.Secret, leftName) }, open: inRlimit},
	{name: "pipe", what: "a pipe without a writer", want: "not taken", plant: func(*hostInfo) error { return unix.Mkfifo(leftName, 0o666) }},
	{name: "socket", what: "a socket", want: "not taken", plant: func(*hostInfo) error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Bind(fd, &unix.SockaddrUnix{Name: leftName})
	}},
	{name: "device", what: "a device", want: "not taken", plant: func(*hostInfo) error {
		return unix.Mknod(leftName, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5)))
	}},
	{name: "folder", what: "a folder", want: "not taken", plant: func(*hostInfo) error { return os.Mkdir(leftName, 0o777) }},
	{name: "loop", what: "a link to itself", want: "not taken", plant: func(*hostInfo) error { return os.Symlink(leftName, leftName) }},
	{name: "huge", what: "a file too large for the folder", want: "bounded", plant: func(*hostInfo) error { return fill(leftName, 64<<20) }},
	{name: "sparse", what: "a sparse file of 200 MiB", want: "bounded", plant: func(*hostInfo) error {
		return errors.Join(os.WriteFile(leftName, nil, 0o666), os.Truncate(leftName, 200<<20))
	}},
	{name: "many", what: "more files than the judge takes", want: "bounded", plant: func(*hostInfo) error {
		for i := range 2000 {
			if err := os.WriteFile(fmt.Sprint("file", i), nil, 0o666); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "deep", what: "deeply nested folders", want: "bounded", plant: func(*hostInfo) error {
		for range 500 {
			if err := errors.Join(os.Mkdir("d", 0o777), os.Chdir("d")); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "locked", what: "a file without permissions", want: "taken", plant: func(*hostInfo) error {
		return os.WriteFile(leftName, []byte("left"), 0o000)
	}},
	{name: "daemon", what: "a daemon that swaps the file", want: "dead", plant: replaceForever},
}

// fill writes a file of size bytes, or as much of it as fits.
func fill(name string, size int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for range size / len(block) {
		if _, err := f.Write(block); err != nil {
			break
		}
	}
	return nil
}

// judgePatience bounds how long the judge may take to read what was left.
const judgePatience = 20 * time.Second

// takenBounds bound what the judge copies out in these attacks.
var takenBounds = sandbox.Bounds{Bytes: limits.MiB, Files: 1000}

// collectLeftover has a run leave something, and the judge read it.
func collectLeftover(s *scene, kind leftover) (outcome, error) {
	o, err := s.run("leftover-" + kind.name)
	if o.Broke || err != nil {
		return o, err
	}
	left, err := s.box.Remains()
	if err != nil {
		return outcome{}, fmt.Errorf("cannot open what was left: %w", err)
	}
	taken := make(chan outcome, 1)
	go func() { taken <- s.lab.collect(left) }()
	select {
	case o = <-taken:
	case <-time.After(judgePatience):
		return broke("the judge hangs"), nil
	case <-s.ctx.Done():
		return outcome{}, s.ctx.Err()
	}
	if text, err := os.ReadFile(s.lab.host.Secret); string(text) != s.lab.host.Token || err != nil {
		return broke("changed a file of the host"), nil
	}
	return o, nil
}

// collect reads the leftover by its name, and then everything that was left. It does so many times,
// because a daemon might replace the file between two reads.
func (l *lab) collect(left *sandbox.Remains) outcome {
	seen := held("not taken")
	for range 100 {
		text, err := left.Read(leftName, limits.KiB)
		switch {
		case strings.Contains(string(text), l.host.Token):
			return broke("read a file of the host")
		case err == nil && len(text) > int(limits.KiB):
			return broke("took %d bytes", len(text))
		case err == nil:
			seen = held("taken")
		case !errors.Is(err, sandbox.ErrNotFile) && !errors.Is(err, fs.ErrNotExist):
			return broke("%v", err)
		}
		err = left.Walk(".", takenBounds, func(name string, info fs.FileInfo, data io.Reader) error {
			if info.IsDir() {
				return nil
			}
			text, err := io.ReadAll(data)
			if strings.Contains(string(text), l.host.Token) {
				return errors.New("read a file of the host")
			}
			return err
		})
		if _, ok := errors.AsType[*sandbox.ExcessError](err); ok {
			return held("too much")
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return broke("%v", err)
		}
	}
	return seen
}

// replaceForever leaves a daemon that keeps exchanging the file with a link to the secret.
func replaceForever(w *hostInfo) error {
	const other = "other"
	if err := errors.Join(os.WriteFile(leftName, []byte("left"), 0o666), os.Symlink(w.Secret, other)); err != nil {
		return err
	}
	copy(swapped[0][:], leftName)
	copy(swapped[1][:], other)
	if _, errno := fork(fateSwap); errno != 0 {
		return errno
	}
	return nil
}
