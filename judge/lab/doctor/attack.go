//go:build linux

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

// attacker is Args[0] of an attacking process; the container requires it to look like a path.
// Args[1] is the name of the payload and Args[2] the hostInfo in JSON.
const attacker = "/tribunal-attack"

// attack is a row of the table of attacks.
type attack struct {
	name, group string
	what, want  string
	do          payload                         // runs in the jail; may be nil if there is a scene or pair
	scene       func(*scene) (outcome, error)   // runs payloads one after the other, in a box of their own
	pair        func(*scene) (outcome, error)   // runs payloads at the same time, in two boxes
	limits      func(*limits.Limits)            // changes the usual limits
	spec        sandbox.Spec                    // if not zero, the spec of a box that only this attack uses
	stops       []sandbox.StopReason            // stop reasons that count as held
	harm        bool                            // would harm the host if no jail protects it
	open        func(sandbox.Mechanisms) string // returns why a mode is known not to stop it, or ""; may be nil
}

// outcome is the result of an attack.
type outcome struct {
	Broke bool   `json:"broke"`
	Seen  string `json:"seen"`
}

func held(format string, args ...any) outcome {
	return outcome{false, fmt.Sprintf(format, args...)}
}

func broke(format string, args ...any) outcome { return outcome{true, fmt.Sprintf(format, args...)} }

// payload is the part of an attack that runs inside the jail.
type payload func(w *hostInfo) outcome

// hostInfo is what an attacker knows about the host in advance. A submission would have to guess
// it.
type hostInfo struct {
	Token      string           `json:"token"`  // content of the secret file
	Secret     string           `json:"secret"` // path of a file that stands for an expected output
	SecretFD   int              `json:"secret_fd"`
	Victim     string           `json:"victim"`  // path of a file that all accounts may write
	Devices    []string         `json:"devices"` // device numbers of the mounted file systems
	Handle     []byte           `json:"handle"`  // file handle of the secret file, see name_to_handle_at(2)
	HandleType int32            `json:"handle_type"`
	Places     map[string]place `json:"places"`
	Judge      int              `json:"judge"`    // the judge's process number on the host
	PIDs       string           `json:"pids"`     // the process namespace of the host
	TCP        int              `json:"tcp"`      // ports of listeners on the host
	UDP        int              `json:"udp"`      //
	Abstract   string           `json:"abstract"` // name of a listening abstract socket
	Socket     string           `json:"socket"`   // path of a listening socket
}

// place is a folder of the host, identified by its inode.
type place struct {
	Path string `json:"path"`
	Dev  uint64 `json:"dev"`
	Ino  uint64 `json:"ino"`
}

const (
	readyLine  = "ready\n"  // printed before the payload begins; from then on, death by the filter counts as held
	resultMark = "outcome " // printed before the outcome in JSON
	victimText = "unharmed"
)

// Attack makes one attack and exits if this process is an attacker that the doctor started inside a
// jail; otherwise it returns at once. main must call it first.
func Attack() {
	if len(os.Args) != 3 || os.Args[0] != attacker {
		return
	}
	var w hostInfo
	do := payloads()[os.Args[1]]
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

// payloads returns all payloads by name. Those that would harm the host are guarded here as well as
// in the table, because the jail may be weaker than the doctor assumes.
func payloads() map[string]payload {
	all := lastingPayloads()
	maps.Copy(all, folderPayloads())
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

// parse returns the last outcome that an attacker wrote, whether there is one, and whether the
// attacker got as far as its payload.
func parse(stdout []byte) (o outcome, found, ready bool) {
	ready = bytes.HasPrefix(stdout, []byte(readyLine))
	i := bytes.LastIndex(stdout, []byte("\n"+resultMark))
	if i < 0 {
		return o, false, ready
	}
	err := json.Unmarshal(stdout[i+1+len(resultMark):], &o)
	return o, err == nil, ready
}

// judge decides the outcome of a run. A stop reason in a.stops counts as held, and so does death by
// the filter if the payload had begun. Otherwise the attacker's own report counts if the attacker
// exited with status 0.
func (a *attack) judge(r sandbox.Result, stdout []byte) outcome {
	o, reported, ready := parse(stdout)
	switch {
	case slices.Contains(a.stops, r.Stop):
		return held("%s", r.Stop)
	case r.Stop == sandbox.Exited && r.ExitCode == 0 && reported:
		return o
	case r.Stop == sandbox.Forbidden && ready:
		return held("denied")
	case r.Stop == sandbox.Exited:
		return broke("the attack exited with status %d", r.ExitCode)
	case r.Stop == sandbox.Signalled:
		return broke("the attack died of %s", r.Signal)
	}
	return broke("%s", r.Stop)
}

// refused turns the error of a system call into an outcome. It counts as held only if the kernel or
// the filter refused the call: another error, such as EINVAL, means that the kernel examined the
// arguments. refusals lists further errors that count as held.
func refused(err error, refusals ...unix.Errno) outcome {
	var errno unix.Errno
	switch {
	case err == nil:
		return broke("allowed")
	case !errors.As(err, &errno):
		return broke("%v", err)
	}
	usual := []unix.Errno{unix.EPERM, unix.EACCES, unix.ENOSYS, unix.EAFNOSUPPORT, unix.EROFS}
	if slices.Contains(usual, errno) || slices.Contains(refusals, errno) {
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

// calls returns a payload of one raw system call that must be refused.
func calls(number uintptr, args ...uintptr) payload {
	return func(*hostInfo) outcome { return refused(call(number, args...)) }
}

// sealed reports whether nothing that this process does can harm the host: it has a filter, no
// capabilities, and a process namespace of its own. It returns false if it cannot find out.
func (w *hostInfo) sealed() bool {
	s := statusFields()
	pids, err := os.Readlink("/proc/self/ns/pid")
	return s["Seccomp"] == "2" && strings.Trim(s["CapEff"], "0") == "" && s["CapEff"] != "" &&
		s["NoNewPrivs"] == "1" && err == nil && w.PIDs != "" && pids != w.PIDs
}

// unprotected is the report of a guarded payload if nothing would protect the host.
const unprotected = "not tried, because the host is not protected: no filter, some capability, or the host's processes"

// onlySealed guards a payload that would harm an unprotected host.
func onlySealed(do payload) payload {
	return func(w *hostInfo) outcome {
		if !w.sealed() {
			return broke(unprotected)
		}
		return do(w)
	}
}

// statusFields returns the fields of /proc/self/status.
func statusFields() map[string]string {
	text, _ := os.ReadFile("/proc/self/status")
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		fields[key] = strings.TrimSpace(value)
	}
	return fields
}

// usual returns the limits of an attack. CPU time decides; the wall limit is far beyond what an
// attack takes even on a busy machine.
func usual() limits.Limits {
	return limits.Limits{
		CPU: 2 * time.Second, Wall: time.Minute, Memory: 64 * limits.MiB,
		Output: 64 * limits.KiB, Processes: limits.Processes,
	}
}
