package sandbox

import "time"

// departed keeps the CPU time of processes that were seen and are gone. The kernel adds it
// to the account of the parent that waited for them; of one that nobody waited for, or
// whose parent had gone before, it is in no account of the tree.
type departed struct {
	last map[int]ledger
	lost time.Duration // of those whose parent is none of the tree
}

// ledger is what is known of one process.
type ledger struct {
	processStat
	used time.Duration // by itself
	owed time.Duration // what children had used when they were seen last, and are gone
}

// children returns the time of children that are gone: the kernel's account is that of
// all that were waited for, and what is owed that of all that were seen.
func (a ledger) children() time.Duration { return max(a.childrenCPU, a.owed-clockTick) }

// note takes in what is there now, and returns the time of all, those that are gone
// included. used says what each process has used by itself.
func (d *departed) note(now map[int]processStat, used map[int]time.Duration) (sum time.Duration) {
	next := make(map[int]ledger, len(now))
	for pid, stat := range now {
		next[pid] = ledger{processStat: stat, used: used[pid]}
		if before, ok := d.last[pid]; ok && before.start == stat.start {
			next[pid] = ledger{stat, used[pid], before.owed}
		}
	}
	// A process hands what it owes on to its parent, so children go first.
	gone := map[int]bool{}
	for pid, a := range d.last {
		if n, ok := next[pid]; !ok || n.start != a.start {
			gone[pid] = true
		}
	}
	waiting := map[int]int{} // how many children of one that is gone are yet to be handed on
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
			break // numbers that were used twice
		}
	}
	d.last = next
	for _, a := range next {
		sum += a.used + a.children()
	}
	return sum + d.lost
}
