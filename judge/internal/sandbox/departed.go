//go:build linux

package sandbox

import "time"

// departed keeps the CPU time of processes that were polled and have ended. The kernel adds the
// time of a dead process to the account of the parent that waits for it. If no process waits for
// it, or its parent died first, no account of the tree includes it.
type departed struct {
	last map[int]ledger
	lost time.Duration // CPU time of ended processes whose parent is not in the tree
}

// ledger is what was last polled of one process, and its CPU time.
type ledger struct {
	processStat
	used time.Duration // CPU time of the process itself
	owed time.Duration // CPU time of children that have ended, as of their last poll
}

// children returns the CPU time of children that have ended. The kernel's account has those that
// were waited for, owed those that were polled; either may miss some, so the larger counts.
func (a ledger) children() time.Duration { return max(a.childrenCPU, a.owed-clockTick) }

// update records the current processes and the CPU time that each has used itself. It returns the
// total CPU time, including that of processes that have ended.
func (d *departed) update(now map[int]processStat, used map[int]time.Duration) (sum time.Duration) {
	next := make(map[int]ledger, len(now))
	for pid, stat := range now {
		next[pid] = ledger{processStat: stat, used: used[pid]}
		if before, ok := d.last[pid]; ok && before.start == stat.start {
			next[pid] = ledger{stat, used[pid], before.owed}
		}
	}
	// The time of a process that has ended moves on to its parent, so children come first.
	gone := map[int]bool{}
	for pid, a := range d.last {
		if n, ok := next[pid]; !ok || n.start != a.start {
			gone[pid] = true
		}
	}
	waiting := map[int]int{} // number of ended children not yet added, by ended parent
	for pid := range gone {
		if parent := d.last[pid].parent; gone[parent] {
			waiting[parent]++
		}
	}
	for len(gone) > 0 {
		before := len(gone)
		for pid := range gone {
			if waiting[pid] > 0 {
				continue
			}
			a := d.last[pid]
			total := a.used + a.children()
			parent := a.parent
			switch p, ok := next[parent]; {
			case gone[parent]:
				heir := d.last[parent]
				heir.owed += total
				d.last[parent] = heir
				waiting[parent]--
			case ok:
				p.owed += total
				next[parent] = p
			default:
				d.lost += total
			}
			delete(gone, pid)
		}
		if len(gone) == before {
			break // a cycle of parents, because process numbers were reused
		}
	}
	d.last = next
	for _, a := range next {
		sum += a.used + a.children()
	}
	return sum + d.lost
}
