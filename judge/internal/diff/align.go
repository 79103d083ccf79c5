package diff

// block is a part of two aligned texts: lines that have no equal in the other text, then equal
// lines.
type block struct {
	want, wantEnd int // differing lines of one text: from line want up to, but without, line wantEnd
	got, gotEnd   int // differing lines of the other text: from line got up to, but without, line gotEnd
	equal         int // number of equal lines after the differing ones
}

// differs reports whether b has differing lines.
func (b block) differs() bool { return b.want < b.wantEnd || b.got < b.gotEnd }

// align pairs as many lines as possible of two texts, of n and m lines, with equal lines of the
// other text. It returns at least one block. Every block but the last has equal lines, and every
// block but the first has differing lines.
//
// It computes the longest common subsequence in a table of n·m numbers, as in textbooks; callers
// keep n and m to a few hundred. go-cmp is faster on longer texts, but draws a random bit when the
// process starts, so that it may align the same texts differently in the next process. Reports must
// not differ from run to run.
func align(n, m int, same func(i, j int) bool) []block {
	// common[i][j] is the largest number of equal lines in the texts from lines i and j on.
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
