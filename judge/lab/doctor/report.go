// Package doctor reports what this host enforces and attacks its own jail.
//
// The judge's own binary holds the attacks and is executed again inside the jail (see [Attack]), so
// they need no compiler and no source tree. An attack reports what it achieved; its verdict also
// depends on how its run ended. The attacks are in attacks_*.go, one file for each part of the
// jail.
package doctor

import (
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
)

// The names of the JSON forms of a [Report] and of the events before it, which docs/doctor.md
// describes.
const (
	Schema       = "tribunal/doctor/1"
	EventsSchema = "tribunal/doctor-events/1"
)

// Status is the result of one attack.
type Status string

// The statuses. Only Broken is a failure. An Open attack succeeded, as expected in this mode. A
// NotTried attack would succeed too, and would harm the host.
const (
	Held     Status = "held"
	Broken   Status = "broken"
	Open     Status = "open"
	NotTried Status = "not_tried"
)

// Finding is one row of the table of attacks. Two examinations of the same host give the same
// findings, because no text contains a process number, the path of a temporary file or a
// measurement.
type Finding struct {
	Name     string `json:"name"`     // stable, for programs
	Group    string `json:"group"`    // heading in the table
	Attack   string `json:"attack"`   // what it tries
	Expected string `json:"expected"` // result in a jail that holds
	Seen     string `json:"seen"`     // result in this jail; the reason if it was not tried
	Status   Status `json:"status"`
	Why      string `json:"why"` // why the mode does not stop it, if Open
}

func (*Finding) Kind() string { return "attack" }

// Count counts attacks by their status.
type Count struct {
	Attacks  int `json:"attacks"`
	Held     int `json:"held"`
	Broken   int `json:"broken"`
	Open     int `json:"open"`
	NotTried int `json:"not_tried"`
}

// Report is the result of an examination.
type Report struct {
	document.Head
	Host       Facts              `json:"host"`
	Asked      sandbox.Mode       `json:"asked"` // the mode that the user asked for
	Mechanisms sandbox.Mechanisms `json:"mechanisms"`
	Notes      []string           `json:"notes"` // why no stronger mode is used
	Auto       Choice             `json:"auto"`
	Findings   []Finding          `json:"attacks"`
	Count      Count              `json:"count"`
	Elapsed    time.Duration      `json:"elapsed_ns"`
}

func (*Report) Kind() string { return event.End }

// Choice is the mode that auto picks.
type Choice struct {
	Mode  sandbox.Mode `json:"mode"`
	Notes []string     `json:"notes"` // why no stronger mode is used
}

// Jail is the jail under attack, usually a [sandbox.Host].
type Jail interface {
	NewBox(sandbox.Spec) (sandbox.Box, error)
	Temp() string // a folder of the host; the doctor puts files to attack there, and lets all accounts pass through
	Mechanisms() sandbox.Mechanisms
	Notes() []string
}

// Options say what to examine.
type Options struct {
	Jail  Jail
	Asked sandbox.Mode
	Auto  *Choice // nil if auto picks Jail
	// Places maps names such as [WorkingFolder] to paths of folders that programs must not see.
	// Missing names and paths that do not exist are skipped.
	Places map[string]string
	Emit   event.Emit // receives each [*event.Stage], each [*Finding] when its attack has ended, and finally the [*Report]
}

// The names of folders of the host that must not be visible in the jail.
const (
	WorkingFolder = "the working folder"
	HomeFolder    = "the home folder"
	CacheFolder   = "the cache"
	TempFolder    = "the temporary folder"
)

// Facts describe this host, as far as possible by trying what works.
type Facts struct {
	Kernel     string      `json:"kernel"` // its release, such as 6.18
	Arch       string      `json:"arch"`   // GOARCH
	Root       bool        `json:"root"`
	CPUs       []int       `json:"cpus"`         // the CPUs that this process may use
	Memory     int64       `json:"memory_bytes"` // size of the machine's memory
	Swap       int64       `json:"swap_bytes"`
	TempFree   int64       `json:"temp_free_bytes"` // free space in the folder of temporary files
	Cgroups    []Hierarchy `json:"cgroups"`
	Namespaces []Namespace `json:"namespaces"`
	Settings   []Setting   `json:"settings"` // kernel settings about user namespaces
	Seccomp    []string    `json:"seccomp"`  // actions that a filter may take
	Pressure   bool        `json:"pressure"` // /proc/pressure exists
	Clock      Clock       `json:"clock"`
	Noise      []Noise     `json:"noise"` // one for each CPU
	// Waited is how long at least one process waited for a CPU while the noise was measured, or 0
	// if the kernel does not report it.
	Waited time.Duration `json:"waited_ns"`
}

// Hierarchy is one mounted control group hierarchy.
type Hierarchy struct {
	Version     int      `json:"version"`
	Controllers []string `json:"controllers"` // those enabled in this process's group
	Writable    bool     `json:"writable"`    // this process may create subgroups
}

// Namespace is one kind of namespace.
type Namespace struct {
	Name  string `json:"name"`
	Error string `json:"error"` // "" if a process could be started in a new one
}

// Setting is a kernel setting.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Clock describes how precisely time is measured.
type Clock struct {
	Source     string        `json:"source"`
	Resolution time.Duration `json:"resolution_ns"` // resolution of timers
	Late       time.Duration `json:"late_ns"`       // median delay of a timer of 1 ms
}

// Noise describes how evenly a CPU worked while it ran the same small piece of work again and
// again. On a quiet machine all pieces take the same time.
type Noise struct {
	CPU    int           `json:"cpu"`
	Pieces int           `json:"pieces"`
	Median time.Duration `json:"median_ns"` // time of the median piece
	P99    time.Duration `json:"p99_ns"`    // 99 of 100 pieces took at most this
	Worst  time.Duration `json:"worst_ns"`  // time of the slowest piece
	Lost   float64       `json:"lost"`      // time that pieces took beyond the median, as a share from 0 to 1 of the whole time
	Steal  time.Duration `json:"steal_ns"`  // time that the hypervisor took from this CPU meanwhile
}

// watchTime is how long the noise of a CPU is measured.
const watchTime = 200 * time.Millisecond
