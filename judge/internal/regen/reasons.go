package regen

import (
	"maps"
	"slices"

	"tribunal/judge/internal/cases"
)

// reasons lists why a plan is stale besides the outputs that change: how the old lock differs from
// the new one. lockless means that there is no old lock.
func (p *Plan) reasons(lockless bool) []string {
	if lockless && len(p.Changes) > 0 {
		return nil // p.Changes explains it
	}
	if lockless {
		return []string{"there is no lock yet"}
	}
	changed := map[string]bool{}
	for _, c := range p.Changes {
		changed[c.Case] = true
	}
	var gone, missing, made, input, pinned, moved []string
	for _, name := range sortedNames(p.w.set.Lock.Cases) {
		if _, ok := p.lock.Cases[name]; !ok {
			gone = append(gone, name)
		}
	}
	for i := range p.cases {
		c := &p.cases[i]
		old, inOld := p.w.set.Lock.Cases[c.Name]
		now, inNew := p.lock.Cases[c.Name]
		switch {
		case !inNew:
		case !inOld && !changed[c.Name]:
			missing = append(missing, c.Name)
		case !inOld:
		case old.Made != now.Made:
			made = append(made, c.Name)
		case old.Input != now.Input:
			input = append(input, c.Name)
		case changed[c.Name]:
		case old.Output != now.Output && c.Pinned:
			pinned = append(pinned, c.Name)
		case old != now, c.Output == nil && p.w.hasOutput(c):
			moved = append(moved, c.Name)
		}
	}
	var list []string
	add := func(reason string, names []string) {
		if len(names) > 0 {
			list = append(list, reason+": "+some(names, 8))
		}
	}
	add("the lock has entries without a case", gone)
	add("not in the lock", missing)
	add("generated, run or judged with other arguments than the lock records", made)
	add("the input differs from the lock", input)
	add("the pinned output differs from the lock", pinned)
	add("the output moves into or out of the case file", moved)
	if len(list) == 0 && len(p.Changes) == 0 {
		list = []string{"the lock was edited or merged"}
	}
	return list
}

// hasOutput reports whether the case file still holds an output of c.
func (w *work) hasOutput(c *cases.Case) bool {
	i := slices.IndexFunc(w.set.Cases, func(o cases.Case) bool { return o.Name == c.Name })
	return i >= 0 && w.set.Cases[i].Output != nil
}

func sortedNames(m map[string]cases.LockCase) []string { return slices.Sorted(maps.Keys(m)) }
