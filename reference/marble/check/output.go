package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// claim is the answer of an output to one board.
type claim struct {
	moves      string
	impossible bool
}

// finding describes the fault of an output: in full for the judge, and for the team without the answer.
type finding struct{ judge, team string }

// finds returns a finding with the same text for the judge and the team.
func finds(format string, args ...any) *finding {
	text := fmt.Sprintf(format, args...)
	return &finding{text, text}
}

// judge compares an output with the boards and the expected claims. An error means that the
// expected claims are wrong.
func judge(boards []*board, expected []claim, output []byte) (*finding, error) {
	claims, bad := parseOutput(output, len(boards))
	if bad != nil {
		return bad, nil
	}
	for i, c := range claims {
		number, want := i+1, expected[i]
		if c.impossible {
			if !want.impossible {
				return &finding{
					judge: fmt.Sprintf("case %d: called impossible, but %d moves win: %s", number, len(want.moves), want.moves),
					team:  fmt.Sprintf("case %d: called impossible, but it can be won", number),
				}, nil
			}
			continue
		}
		winning, bad := boards[i].play(number, c.moves)
		switch {
		case winning != "" && want.impossible:
			return nil, fmt.Errorf("case %d is called impossible, but %s wins", number, winning)
		case winning != "" && len(winning) < len(want.moves):
			return nil, fmt.Errorf("case %d has %d moves, but %s wins in %d", number, len(want.moves), winning, len(winning))
		case bad != nil:
			return bad, nil
		case len(c.moves) > len(want.moves):
			return &finding{
				judge: fmt.Sprintf("case %d: the %d moves win, but %d are enough: %s", number, len(c.moves), len(want.moves), want.moves),
				team:  fmt.Sprintf("case %d: the %d moves win, but fewer are enough", number, len(c.moves)),
			}, nil
		}
	}
	return nil, nil
}

// parseOutput parses an output, strict to the byte.
func parseOutput(output []byte, boards int) ([]claim, *finding) {
	line := 0
	next := func(what string) (string, *finding) {
		line++
		if len(output) == 0 {
			return "", finds("line %d: the output ends where %s should be", line, what)
		}
		text, rest, ended := bytes.Cut(output, []byte("\n"))
		if !ended {
			return "", finds("line %d: the last line has no newline", line)
		}
		output = rest
		return string(text), nil
	}
	var claims []claim
	for number := 1; number <= boards; number++ {
		text, bad := next(fmt.Sprintf("case %d", number))
		if bad != nil {
			return nil, bad
		}
		c, bad := parseClaim(text, number, line)
		if bad != nil {
			return nil, bad
		}
		claims = append(claims, c)
		if text, bad = next(fmt.Sprintf("the empty line after case %d", number)); bad != nil {
			return nil, bad
		}
		if text != "" {
			return nil, finds("line %d: %s where the empty line after case %d should be", line, quote(text), number)
		}
	}
	if len(output) > 0 {
		return nil, finds("line %d: text after the empty line of the last case", line+1)
	}
	return claims, nil
}

func parseClaim(text string, number, line int) (claim, *finding) {
	head := fmt.Sprintf("Case %d: ", number)
	says, ok := strings.CutPrefix(text, head)
	if !ok {
		return claim{}, finds("line %d: %s does not begin with %q", line, quote(text), head)
	}
	if says == "impossible" {
		return claim{impossible: true}, nil
	}
	switch {
	case strings.HasSuffix(says, "\r"):
		return claim{}, finds("line %d: a carriage return at the end of the line, which a newline alone should end", line)
	case strings.HasSuffix(says, " "):
		return claim{}, finds("line %d: a blank at the end of the line", line)
	}
	count, moves, ok := strings.Cut(says, " moves")
	length, err := strconv.Atoi(count)
	if !ok || err != nil || strconv.Itoa(length) != count || length < 0 {
		return claim{}, finds("line %d: %s is neither %q nor a plain number followed by the word moves (even for 1)", line, quote(text), head+"impossible")
	}
	if length > 0 {
		if moves, ok = strings.CutPrefix(moves, " "); !ok {
			return claim{}, finds("line %d: a single space and the moves must follow the number of moves", line)
		}
	}
	if i := strings.IndexFunc(moves, func(r rune) bool { return !strings.ContainsRune(sideNames, r) }); i >= 0 {
		return claim{}, finds("line %d: %s at move %d of the sequence, which has only the letters E, N, S and W", line, quote(moves[i:]), i+1)
	}
	if len(moves) != length {
		return claim{}, finds("line %d: the number of moves is %d, but the length of the sequence %d", line, length, len(moves))
	}
	return claim{moves: moves}, nil
}

// quote shows a text that may be long or unprintable.
func quote(text string) string {
	if len(text) > 40 {
		return strconv.Quote(text[:40]) + "…"
	}
	return strconv.Quote(text)
}
