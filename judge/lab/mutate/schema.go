package mutate

import (
	"strings"

	"tribunal/judge/internal/build"
)

// Schema is a program and its mutants. If it is in Go, the program runs as any of them: [Variable]
// chooses one. If Separate is set, each mutant is a program of its own.
type Schema struct {
	Source   *build.Source // the program, which builds like the original
	Separate bool
	Mutants  []Mutant // in the order of IDs, from 1: by file and position
	Sites    int      // 0 if Separate: then every case counts as reaching every mutant
	Left     int      // number of mutants that were dropped because they do not compile; 0 if Separate

	edits []edit   // the edits of the mutants, indexed by ID - 1
	names []string // if Separate, the files that they change, as slash paths in Source, by ID - 1
}

// edit is the change that a mutant makes to its file.
type edit struct {
	original   string // the text of the whole file
	start, end int
	text       string
}

// around is the number of context lines that Diff shows on either side.
const around = 2

// Diff returns the lines that a mutant changes with their context. Context lines begin with "  ",
// removed lines with "- ", added lines with "+ ".
func (s *Schema) Diff(m Mutant) string {
	e := s.edits[m.ID-1]
	text := e.original
	from := strings.LastIndexByte(text[:e.start], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[e.end:], '\n'); i >= 0 {
		to = e.end + i
	}
	old := strings.Split(text[from:to], "\n")
	changed := strings.Split(text[from:e.start]+e.text+text[e.end:to], "\n")
	// Lines that both share at the start or the end become context.
	same := 0
	for same < min(len(old), len(changed)) && old[same] == changed[same] {
		same++
	}
	before := strings.Split(strings.TrimSuffix(text[:from], "\n"), "\n")
	before = append(before[max(0, len(before)-around+same):], old[max(0, same-around):same]...)
	old, changed = old[same:], changed[same:]
	tail := 0
	for tail < min(len(old), len(changed)) && old[len(old)-1-tail] == changed[len(changed)-1-tail] {
		tail++
	}
	after := append([]string{}, old[len(old)-tail:]...)
	if to < len(text) {
		after = append(after, strings.Split(strings.TrimSuffix(text[to+1:], "\n"), "\n")...)
	}
	var b strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			// A dropped statement leaves an empty line.
			if mark == "+ " && strings.TrimSpace(line) == "" {
				continue
			}
			b.WriteString(strings.TrimRight(mark+line, " \t") + "\n")
		}
	}
	write("  ", before)
	write("- ", old[:len(old)-tail])
	write("+ ", changed[:len(changed)-tail])
	write("  ", after[:min(len(after), around)])
	return b.String()
}

// longest is the approximate maximum length of Before and After, in characters.
const longest = 80

// oneLine joins the lines of a source text, and shortens the result in the middle if it is long.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, " ")
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest/2-1]) + " … " + string(r[len(r)-longest/2+2:])
	}
	return text
}
