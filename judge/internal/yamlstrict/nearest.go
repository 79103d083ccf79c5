package yamlstrict

import "strings"

// Nearest returns the known name that word was most likely meant to be, or "" if none is near
// enough: at most one edit for every three letters, where an edit adds, drops or changes a letter
// or swaps two neighbours. Among equally near names the first wins.
func Nearest(word string, known []string) string {
	const longest = 64 // longer words are near to none, to bound the work
	if len(word) > longest {
		return ""
	}
	best, least := "", max(len(word)/3, 1)+1
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least && d < len(k) {
			best, least = k, d
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b in bytes.
func distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
