package sinol

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// sinolLimits are the limits in config.yml, or those of a language in its override_limits: by the
// number of a group or the name of a test, "" for all others.
type sinolLimits struct {
	times  map[string]time.Duration
	memory map[string]limits.Bytes
}

// maxExceptions is the largest number of groups and tests of a package of SIO2 with limits of their
// own, because each run has to look at all of them.
const maxExceptions = 1000

// languages are the codes of languages by the endings of their files.
var languages = map[string]string{
	"c": "c", "cpp": "cpp", "cc": "cpp", "py": "python3", "java": "java", "rs": "rust", "pas": "pascal",
}

// limitKeys returns the readers of the keys of limits of a language, "" for all.
func (r *reader) limitKeys(language string) map[string]func(yamlloose.Node) error {
	l := &sinolLimits{map[string]time.Duration{}, map[string]limits.Bytes{}}
	r.limits[language] = l
	timed := func(name string, n yamlloose.Node) error {
		ms, err := n.Number(0)
		if err == nil && ms > 0 {
			l.times[name] = draft.Milliseconds(ms)
		}
		return err
	}
	sized := func(name string, n yamlloose.Node) error {
		kib, err := n.Number(0)
		if err == nil && kib > 0 {
			l.memory[name] = max(limits.Bytes(min(kib, 1<<34))*limits.KiB, limits.MiB)
		}
		return err
	}
	return map[string]func(yamlloose.Node) error{
		"time_limit":    func(n yamlloose.Node) error { return timed("", n) },
		"memory_limit":  func(n yamlloose.Node) error { return sized("", n) },
		"time_limits":   eachPair(timed),
		"memory_limits": eachPair(sized),
	}
}

// eachPair returns a reader that calls read with each key and value of a mapping.
func eachPair(read func(key string, value yamlloose.Node) error) func(yamlloose.Node) error {
	return func(n yamlloose.Node) error {
		list, err := n.Pairs()
		for _, k := range list {
			if err == nil {
				err = n.Read(k, func(value yamlloose.Node) error { return read(k.Key, value) })
			}
		}
		return err
	}
}

// override reads override_limits.
func (r *reader) override(ending string, n yamlloose.Node) error {
	language, known := languages[ending]
	if !known {
		n.Doc.Notef(n.Line(), "unknown language %s", quote.Name(ending))
		return nil
	}
	keys := r.limitKeys(language)
	list, err := n.Pairs()
	for _, k := range list {
		if err == nil {
			err = n.Read(k, keys[k.Key])
		}
	}
	return err
}

// limited sets the limits of the problem and the exceptions to them. If there is no limit for all
// others, it is the largest one.
func (r *reader) limited() error {
	main := r.limits[""]
	r.Time.Limit, r.Limits.Memory = usual(main.times), cmp.Or(usual(main.memory), 2048*limits.MiB)
	if r.Time.Limit > 0 {
		r.Time.From = sinolFile
	}
	cases := r.patterns()
	for _, language := range draft.SortedKeys(r.limits) {
		l := r.limits[language]
		names := append(draft.SortedKeys(l.times), draft.SortedKeys(l.memory)...)
		slices.SortFunc(names, func(a, b string) int { // limits of tests replace those of groups
			return cmp.Or(cmp.Compare(suffixed(a), suffixed(b)), strings.Compare(a, b))
		})
		for _, name := range slices.Compact(names) {
			e := problem.Exception{Language: language, Cases: cases[name], CPU: l.times[name], Memory: l.memory[name]}
			if name != "" && e.Cases == "" || name == "" && language == "" {
				continue
			}
			if language == "" { // leave out what changes nothing
				if e.CPU == cmp.Or(outer(l.times, name), r.Time.Limit) {
					e.CPU = 0
				}
				if e.Memory == cmp.Or(outer(l.memory, name), r.Limits.Memory) {
					e.Memory = 0
				}
			}
			r.AddException(e)
		}
	}
	if n := len(r.Exceptions); n > maxExceptions {
		return r.Tree.Errorf(sinolFile, 0, "give limits of groups instead of tests", "%d groups and tests with limits of their own, more than %d", n, maxExceptions)
	}
	return nil
}

// usual returns the limit of all tests that have none of their own.
func usual[T cmp.Ordered](list map[string]T) (limit T) {
	if limit, given := list[""]; given {
		return limit
	}
	for _, l := range list {
		limit = max(limit, l)
	}
	return limit
}

// patterns returns the patterns of the cases of groups and tests, by their names in config.yml.
func (r *reader) patterns() map[string]string {
	all := map[string]string{}
	for g, tests := range r.tests {
		for _, t := range tests {
			all[t.name] = r.group(g) + "/" + t.name
		}
	}
	for g := range r.tests { // a group may have the name of one of its tests
		all[strconv.Itoa(g)] = r.group(g)
	}
	return all
}

// suffixed returns 1 for the name of a test with more than the number of its group, else 0.
func suffixed(name string) int { return min(len(name)-draft.Digits(name), 1) }

// outer returns the limit of the group of a test, or 0 for a group.
func outer[T any](list map[string]T, name string) (limit T) {
	switch {
	case suffixed(name) == 0:
		return limit
	case strings.HasSuffix(name, "ocen"):
		return list["0"]
	}
	return list[name[:draft.Digits(name)]]
}
