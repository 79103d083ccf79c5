package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// attacker is Args[0] of a process that attacks the jail it is in, which must look
// like a path to the container. Args[1] is the name of the deed and Args[2] the
// world, in JSON.
const attacker = "/tribunal-attack"

// An attack is one row of the table before it was tried.
type attack struct {
	name, group string
	what, want  string
	do          deed                            // in the jail; nil if scene or pair leads
	scene       func(*scene) (outcome, error)   // several runs, one after the other, in a box of their own
	pair        func(*scene) (outcome, error)   // two runs at a time, in two boxes
	limits      func(*limits.Limits)            // changes the usual limits
	spec        sandbox.Spec                    // when not zero, of a box of its own
	stops       []sandbox.Stop                  // ends of the run that count as held
	harm        bool                            // it would harm a host that nothing protects
	open        func(sandbox.Mechanisms) string // why a mode openly cannot stop it; nil or "" where it can
}

// An outcome is what an attack achieved.
type outcome struct {
	Broke bool   `json:"broke"`
	Seen  string `json:"seen"`
}

func held(format string, args ...any) outcome {
	return outcome{false, fmt.Sprintf(format, args...)}
}

func broke(format string, args ...any) outcome { return outcome{true, fmt.Sprintf(format, args...)} }

// A deed is what an attacker does inside the jail.
type deed func(w *world) outcome

// world is what an attacker knows of the host from the start. A submission would
// have to guess it.
type world struct {
	Token      string           `json:"token"`  // what the secret file holds
	Secret     string           `json:"secret"` // path of a file that stands for an expected output
	SecretFD   int              `json:"secret_fd"`
	Victim     string           `json:"victim"`  // path of a file that everybody may change
	Devices    []string         `json:"devices"` // numbers of the file systems that are mounted
	Handle     []byte           `json:"handle"`  // of the same file, see name_to_handle_at(2)
	HandleType int32            `json:"handle_type"`
	Places     map[string]place `json:"places"`
	Judge      int              `json:"judge"`    // process number outside
	PIDs       string           `json:"pids"`     // the process namespace outside
	TCP        int              `json:"tcp"`      // ports of listeners outside
	UDP        int              `json:"udp"`      //
	Abstract   string           `json:"abstract"` // name of a listening abstract socket
	Socket     string           `json:"socket"`   // path of a listening socket
}

// place is a folder of the host and how to recognise it.
type place struct {
	Path string `json:"path"`
	Dev  uint64 `json:"dev"`
	Ino  uint64 `json:"ino"`
}

const (
	readyLine  = "ready\n"  // the attacker runs; what kills it now is an answer to the attack
	resultMark = "outcome " // before the outcome in JSON
	victimText = "unharmed"
)

// Attack must be called first thing in main, after sandbox.Init. In a process that
// the doctor started inside a jail it makes one attack and never returns; in
// another it returns at once.
func Attack() {
	if len(os.Args) != 3 || os.Args[0] != attacker {
		return
	}
	var w world
	do := deeds()[os.Args[1]]
	if err := json.Unmarshal([]byte(os.Args[2]), &w); err != nil || do == nil {
		fmt.Fprintln(os.Stderr, "no such attack:", os.Args[1])
		os.Exit(2)
	}
	_, _ = unix.Write(1, []byte(readyLine))
	text, err := json.Marshal(do(&w))
	if err != nil {
		os.Exit(2)
	}
	_, _ = unix.Write(1, slices.Concat([]byte("\n"+resultMark), text, []byte("\n")))
	os.Exit(0)
}

// deeds are the parts of all attacks that are done in the jail, by name. Those that
// would harm a host are guarded here: the doctor may be wrong about the mode, since
// that is what it is asked to find out.
func deeds() map[string]deed {
	all := lasting()
	maps.Copy(all, folderDeeds())
	for _, a := range attacks() {
		switch {
		case a.do == nil:
		case a.harm:
			all[a.name] = onlySealed(a.do)
		default:
			all[a.name] = a.do
		}
	}
	return all
}

func attacks() []attack {
	return slices.Concat(limitAttacks(), fileAttacks(), folderAttacks(), processAttacks(), networkAttacks(), kernelAttacks(), machineAttacks(), lastingAttacks())
}

// parse returns what an attacker said last, and whether it came to its attack.
func parse(stdout []byte) (o outcome, said, ready bool) {
	ready = bytes.HasPrefix(stdout, []byte(readyLine))
	i := bytes.LastIndex(stdout, []byte("\n"+resultMark))
	if i < 0 {
		return o, false, ready
	}
	err := json.Unmarshal(stdout[i+1+len(resultMark):], &o)
	return o, err == nil, ready
}

// judge decides on a run: its own word counts if it ended well; a death by the
// filter or one of the stops is an answer, if it came after the attack began.
func (a *attack) judge(r sandbox.Result, stdout []byte) outcome {
	o, said, ready := parse(stdout)
	switch {
	case slices.Contains(a.stops, r.Stop):
		return held("%s", r.Stop)
	case r.Stop == sandbox.Exited && r.ExitCode == 0 && said:
		return o
	case r.Stop == sandbox.Forbidden && ready:
		return held("denied")
	case r.Stop == sandbox.Exited:
		return broke("the attack ended with status %d", r.ExitCode)
	case r.Stop == sandbox.Signalled:
		return broke("the attack died of %s", r.Signal)
	}
	return broke("%s", r.Stop)
}

// refused turns the error of a system call into an outcome. Only answers that mean
// that the kernel or the filter said no are good: another error, such as EINVAL,
// tells that the call was looked into.
func refused(err error, good ...unix.Errno) outcome {
	var errno unix.Errno
	switch {
	case err == nil:
		return broke("allowed")
	case !errors.As(err, &errno):
		return broke("%v", err)
	}
	usual := []unix.Errno{unix.EPERM, unix.EACCES, unix.ENOSYS, unix.EAFNOSUPPORT, unix.EROFS}
	if slices.Contains(usual, errno) || slices.Contains(good, errno) {
		return held("%s", unix.ErrnoName(errno))
	}
	return broke("reached the kernel: %s", unix.ErrnoName(errno))
}

// call makes a raw system call.
func call(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// calls makes a deed of one raw system call that must be refused.
func calls(number uintptr, args ...uintptr) deed {
	return func(*world) outcome { return refused(call(number, args...)) }
}

// sealed reports whether this process is where nothing it does can harm the host:
// filtered, without capabilities and in a process namespace of its own. What it
// cannot find out counts as no.
func (w *world) sealed() bool {
	s := statusFields()
	pids, err := os.Readlink("/proc/self/ns/pid")
	return s["Seccomp"] == "2" && strings.Trim(s["CapEff"], "0") == "" && s["CapEff"] != "" &&
		s["NoNewPrivs"] == "1" && err == nil && w.PIDs != "" && pids != w.PIDs
}

// notDared is what a guarded deed says where nothing would protect the host.
const notDared = "not dared: no filter, capabilities, or the host's processes"

// onlySealed guards a deed that would harm an unprotected host.
func onlySealed(do deed) deed {
	return func(w *world) outcome {
		if !w.sealed() {
			return broke(notDared)
		}
		return do(w)
	}
}

// statusFields are the fields of /proc/self/status.
func statusFields() map[string]string {
	text, _ := os.ReadFile("/proc/self/status")
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	return fields
}

// usual are the limits of an attack. The wall is far beyond what one takes even
// on a busy machine; CPU time decides.
func usual() limits.Limits {
	return limits.Limits{
		CPU: 2 * time.Second, Wall: time.Minute, Memory: 64 * limits.MiB,
		Output: 64 * limits.KiB, Processes: limits.Processes,
	}
}
