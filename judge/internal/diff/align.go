package diff

// block is a stretch of two aligned texts: lines of one that differ from lines of the other, then
// lines that are equal.
type block struct {
	want, wantEnd int // differing lines, by index
	got, gotEnd   int
	equal         int // number of equal lines after them
}

// differs reports whether b has differing lines.
func (b block) differs() bool { return b.want < b.wantEnd || b.got < b.gotEnd }

// align aligns two texts of n and m lines so that as many lines as possible stand beside an equal
// one. It returns them in blocks: all but the last have equal lines, all but the first have
// differing ones. There is at least one block.
//
// It fills a table of n·m numbers, the textbook's longest common subsequence; callers keep n and m
// to a few hundred. go-cmp would be quicker on longer texts, but it draws a random bit when a
// process starts, so that the same texts may be aligned differently the next time, and a report
// must not change.
func align(n, m int, same func(i, j int) bool) []block {
	// common[i][j] is the largest number of lines that the texts from i and j on can share.
	common := make([][]uint16, n+1)
	for i := range common {
		common[i] = make([]uint16, m+1)
	}
	equal := make([][]bool, n)
	for i := n - 1; i >= 0; i-- {
		equal[i] = make([]bool, m)
		for j := m - 1; j >= 0; j-- {
			if equal[i][j] = same(i, j); equal[i][j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}

	var blocks []block
	var b block
	i, j := 0, 0
	for i < n && j < m {
		switch {
		case equal[i][j]:
			if b.equal == 0 {
				b.wantEnd, b.gotEnd = i, j
			}
			b.equal++
			i++
			j++
			continue
		case b.equal > 0:
			blocks = append(blocks, b)
			b = block{want: i, got: j}
		}
		if common[i+1][j] >= common[i][j+1] {
			i++
		} else {
			j++
		}
	}
	if b.equal > 0 && (i < n || j < m) {
		blocks = append(blocks, b)
		b = block{want: i, got: j}
	}
	if b.equal == 0 {
		b.wantEnd, b.gotEnd = n, m
	}
	return append(blocks, b)
}
