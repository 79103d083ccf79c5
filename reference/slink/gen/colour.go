package main

// A census counts the colourings that the numbers of a puzzle allow.
type census struct {
	loops  int // colourings that are a single loop; exactly 1 in a valid puzzle
	others int // colourings that are not a single loop: several loops, one that touches itself, or none
	work   int // diagonals coloured in the search, a measure of difficulty
}

// A painter colours the cells of a puzzle inside or outside. It goes diagonally from the upper left
// corner. Once the cells with i+j < d are coloured and one more cell of the next diagonal is
// chosen, each number on diagonal d-1 determines the cell below it.
type painter struct {
	*puzzle
	inside region
	census
}

// count takes the census of p.
func count(p *puzzle) census {
	s := painter{puzzle: p, inside: newRegion(p.rows, p.cols)}
	s.paint(0)
	return s.census
}

// paint colours the diagonals from d on in all ways that the numbers allow.
func (s *painter) paint(d int) {
	s.work++
	if d == s.rows+s.cols {
		if s.inside.isLoop() {
			s.loops++
		} else {
			s.others++
		}
		return
	}
	if d >= s.cols {
		s.slide(d, d-s.cols)
		return
	}
	for _, colour := range []bool{false, true} {
		s.inside.set(0, d, colour)
		s.slide(d, 0)
	}
	s.inside.set(0, d, false)
}

// slide colours the rest of diagonal d below its cell in row i, and then the next diagonals.
func (s *painter) slide(d, i int) {
	for ; i < s.rows && i < d; i++ {
		j := d - 1 - i
		here := s.inside.at(i, j)
		missing := s.number[i][j]
		for _, other := range []bool{s.inside.at(i-1, j), s.inside.at(i, j-1), s.inside.at(i, j+1)} {
			if other != here {
				missing--
			}
		}
		below := here != (missing == 1)
		if missing < 0 || missing > 1 || i+1 == s.rows && below {
			return
		}
		if i+1 < s.rows {
			s.inside.set(i+1, j, below)
		}
	}
	s.paint(d + 1)
}
