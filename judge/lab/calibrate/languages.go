package calibrate

import (
	"cmp"
	"slices"
	"time"

	"tribunal/judge/internal/verdict"
)

// Language compares the accepted programs in one language with those in the fastest language. On a
// case, the time of a language is that of its slowest program, and its ratio is this time divided
// by the time of the language that is fastest on the case.
type Language struct {
	Name     string        `json:"name"`
	Programs int           `json:"programs"`   // number of accepted programs
	Slowest  time.Duration `json:"slowest_ns"` // longest CPU time of any program on any case
	Median   float64       `json:"median"`     // median ratio over the cases
	Most     float64       `json:"most"`       // largest ratio over the cases
	Case     string        `json:"case"`       // the case with the largest ratio
}

// tick is the shortest time that is compared: about the time that it takes to start a program.
const tick = time.Millisecond

// compare sets r.Languages.
func (r *Report) compare() {
	slowest := map[string]map[string]time.Duration{} // by language and case
	programs := map[string]int{}
	r.each(verdict.AC, func(p *Program) {
		programs[p.Language]++
		if slowest[p.Language] == nil {
			slowest[p.Language] = map[string]time.Duration{}
		}
		for name, cpu := range p.perCase {
			slowest[p.Language][name] = max(slowest[p.Language][name], cpu, tick)
		}
	})
	fastest := map[string]time.Duration{}
	for _, times := range slowest {
		for name, cpu := range times {
			if fastest[name] == 0 || cpu < fastest[name] {
				fastest[name] = cpu
			}
		}
	}
	for name, times := range slowest {
		l := Language{Name: name, Programs: programs[name]}
		var all []float64
		for c, cpu := range times {
			factor := float64(cpu) / float64(fastest[c])
			all = append(all, factor)
			l.Slowest = max(l.Slowest, cpu)
			if factor > l.Most || factor == l.Most && c < l.Case {
				l.Most, l.Case = factor, c
			}
		}
		slices.Sort(all)
		l.Median = all[len(all)/2]
		r.Languages = append(r.Languages, l)
	}
	slices.SortFunc(r.Languages, func(a, b Language) int {
		return cmp.Or(cmp.Compare(a.Median, b.Median), cmp.Compare(a.Most, b.Most), cmp.Compare(a.Name, b.Name))
	})
}
