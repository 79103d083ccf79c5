package build

import (
	"cmp"

	"tribunal/judge/internal/limits"
)

// terms are what somebody besides the machine demands of a submission.
type terms struct {
	refused string // why it becomes no program, whatever it is; "" for no reason
	unread  error  // why it could not be read; nil if it was
	limits  limits.Limits
}

// Refused returns the source as one that does not become a program: building it, for
// which nothing is run, is a [*CompileError] with these words.
func (s *Source) Refused(why string) *Source {
	t := *s
	t.terms.refused = why
	return &t
}

// Within returns the source as one whose compiler has limits of its own: CPU and Memory
// of l take the places of [Options] Timeout and Memory, unless they are 0.
func (s *Source) Within(l limits.Limits) *Source {
	t := *s
	t.terms.limits = limits.Limits{CPU: l.CPU, Memory: l.Memory}
	return &t
}

// Size returns how large the files of a source are together, 0 for an executable.
func (s *Source) Size() (sum limits.Bytes) {
	for name, text := range s.files {
		if name != pythonLauncher {
			sum += limits.Bytes(len(text))
		}
	}
	return sum
}

// compiler returns the limits of the compiler of a source: of CPU time and memory, and
// of time by the clock.
func (b *Builder) compiler(s *Source) limits.Limits {
	l := limits.Limits{CPU: cmp.Or(s.terms.limits.CPU, b.options.Timeout), Memory: cmp.Or(s.terms.limits.Memory, b.options.Memory)}
	l.Wall = wallFactor * l.CPU
	return l
}
