package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// width is the number of columns that the text fits in.
const width = 80

// Text returns the report as text, with the broken attacks above the table. No line is longer than
// width.
func (r *Report) Text() string {
	var b strings.Builder
	p := func(name, format string, args ...any) {
		wrapped(&b, fmt.Sprintf("%-12s", name), fmt.Sprintf(format, args...))
	}
	r.Host.text(p)
	b.WriteByte('\n')
	r.mode(p)
	b.WriteByte('\n')
	r.failures(&b)
	group := ""
	for _, f := range r.Findings {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&b, "%-44s %-20s seen\n", strings.ToUpper(group), "expected")
		}
		fmt.Fprintf(&b, "%-9s %-34s %-20s %s\n", mark[f.Status], cut(f.Attack, 34), cut(f.Expected, 20), cut(f.shown(), 14))
	}
	b.WriteByte('\n')
	r.gaps(&b)
	b.WriteString(r.Total())
	b.WriteByte('\n')
	return b.String()
}

var mark = map[Status]string{Held: "held", Broken: "BROKEN", Open: "open", NotTried: "not tried"}

// Total returns the last line of the text, such as "47 attacks: 47 held".
func (r *Report) Total() string {
	c := r.Count
	var parts []string
	for _, n := range []struct {
		n    int
		name string
	}{{c.Broken, "BROKEN"}, {c.Held, "held"}, {c.Open, "open"}, {c.NotTried, "not tried"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.name))
		}
	}
	return fmt.Sprintf("%d attacks: %s", c.Attacks, strings.Join(parts, ", "))
}

// failures writes the broken attacks in full.
func (r *Report) failures(b *strings.Builder) {
	for _, f := range r.Findings {
		if f.Status == Broken {
			wrapped(b, "BROKEN    ", fmt.Sprintf("%s: %s: %s, expected: %s", f.Group, f.Attack, f.Seen, f.Expected))
		}
	}
	if r.Count.Broken > 0 {
		b.WriteByte('\n')
	}
}

// shown returns what the last column of the table shows.
func (f *Finding) shown() string {
	if f.Status == NotTried {
		return "" // gaps writes the reason
	}
	return f.Seen
}

// gaps writes how many attacks are open or were not tried, one line for each reason.
func (r *Report) gaps(b *strings.Builder) {
	count := map[string]int{}
	var reasons []string
	for _, f := range r.Findings {
		reason := "open: " + f.Why
		switch f.Status {
		case NotTried:
			reason = f.Seen
		case Held, Broken:
			continue
		}
		if count[reason]++; count[reason] == 1 {
			reasons = append(reasons, reason)
		}
	}
	for _, reason := range reasons {
		wrapped(b, fmt.Sprintf("%3d ", count[reason]), reason)
	}
	if len(reasons) > 0 {
		b.WriteByte('\n')
	}
}

func (r *Report) mode(p func(name, format string, args ...any)) {
	m := r.Mechanisms
	notes := r.Notes
	switch {
	case r.Asked == sandbox.Auto:
		p("mode", "%s, which auto picks: %s", m.Mode, reason(m))
	case r.Auto.Mode == m.Mode:
		p("mode", "%s, as requested", m.Mode)
		p("", "auto would pick it, too: %s", reason(m))
		notes = r.Auto.Notes // the reasons for the mode that auto picks
	default:
		p("mode", "%s, as requested", m.Mode)
		p("", "auto would pick %s, which works here and is stronger", r.Auto.Mode)
	}
	for _, n := range notes {
		p("", "%s", n)
	}
	for _, part := range []struct{ name, by string }{
		{"isolation", m.Isolation}, {"cpu", m.CPU}, {"wall", m.Wall}, {"memory", m.Memory}, {"output", m.Output}, {"processes", m.Processes},
	} {
		if part.by == "" {
			part.by = "NOT enforced"
		}
		p(part.name, "%s", part.by)
	}
}

// reason returns why auto picks a mode with these mechanisms, and what the mode lacks compared with
// a stronger one. The notes say why it lacks that.
func reason(m sandbox.Mechanisms) string {
	if m.Mode != sandbox.Container {
		return "containers, which are stronger, do not work here"
	}
	var missing []string
	for _, part := range []struct{ name, by string }{{"CPU time", m.CPU}, {"memory", m.Memory}, {"processes", m.Processes}} {
		if !strings.HasPrefix(part.by, "cgroup") {
			missing = append(missing, part.name)
		}
	}
	if len(missing) > 0 {
		return "a container with cgroups for " + strings.Join(missing, ", ") + " would be stronger"
	}
	return "the strongest mode"
}

func (f *Facts) text(p func(name, format string, args ...any)) {
	user := "an ordinary user"
	if f.Root {
		user = "root"
	}
	p("host", "Linux %s on %s, as %s", f.Kernel, f.Arch, user)
	p("hardware", "%d CPUs allowed, %s of memory, %s of swap, %s free for temporary files",
		len(f.CPUs), limits.Bytes(f.Memory).Human(), limits.Bytes(f.Swap).Human(), limits.Bytes(f.TempFree).Human())
	p("cgroups", "%s", f.cgroups())
	p("namespaces", "%s", f.namespaces())
	for _, s := range f.Settings {
		p("", "%s = %s", s.Name, s.Value)
	}
	if len(f.Seccomp) == 0 {
		p("seccomp", "not reported by the kernel")
	} else {
		p("seccomp", "%s", strings.Join(f.Seccomp, ", "))
	}
	pressure := "/proc/pressure is there"
	if !f.Pressure {
		pressure = "no /proc/pressure"
	}
	p("clock", "%s; timer resolution %v, usually %v late; %s", f.Clock.Source, f.Clock.Resolution, f.Clock.Late.Round(time.Microsecond), pressure)
	for _, n := range f.Noise {
		p("noise", "CPU %d: a piece of work takes %v, 99 of 100 at most %v, the slowest %v; %.1f %% lost",
			n.CPU, n.Median.Round(100*time.Nanosecond), n.P99.Round(100*time.Nanosecond), n.Worst.Round(time.Microsecond), 100*n.Lost)
	}
	p("", "%v stolen by the hypervisor, some process waited for %v of %v", f.stolen(), f.Waited.Round(time.Millisecond), watchTime)
}

func (f *Facts) stolen() (total time.Duration) {
	for _, n := range f.Noise {
		total += n.Steal
	}
	return total
}

// cgroups returns the controllers by version and by whether their groups are writable.
func (f *Facts) cgroups() string {
	var order []string
	names := map[string][]string{}
	for _, h := range f.Cgroups {
		kind := fmt.Sprintf("v%d read-only", h.Version)
		if h.Writable {
			kind = fmt.Sprintf("v%d writable", h.Version)
		}
		if !slices.Contains(order, kind) {
			order = append(order, kind)
		}
		names[kind] = append(names[kind], h.Controllers...)
	}
	var parts []string
	for _, kind := range order {
		list := "no controllers"
		if len(names[kind]) > 0 {
			list = strings.Join(names[kind], " ")
		}
		parts = append(parts, kind+": "+list)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}

func (f *Facts) namespaces() string {
	var works, fails []string
	for _, n := range f.Namespaces {
		if n.Error == "" {
			works = append(works, n.Name)
		} else {
			fails = append(fails, n.Name+" ("+n.Error+")")
		}
	}
	text := "none work"
	if len(works) > 0 {
		text = strings.Join(works, ", ") + " work"
	}
	if len(fails) > 0 {
		text += "; not " + strings.Join(fails, ", ")
	}
	return text
}

// cut shortens text to n characters. The full text is in the JSON, and above the table if the
// attack broke the jail.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// wrapped writes text in lines of at most width columns, with a prefix before the first.
func wrapped(b *strings.Builder, prefix, text string) {
	line := prefix
	empty := true
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, empty = strings.Repeat(" ", utf8.RuneCountInString(prefix)), true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
