package commands

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/class/roster"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/points"
)

// classOptions are the flags of judge grade --sheet that are about a class and its grades.
type classOptions struct {
	roster  string
	list    *roster.Roster // of --roster; nil without it
	points  string
	weights []string
	late    string
	drop    int
	bom     bool
}

// classFlags are their names.
var classFlags = []string{"roster", "weight", "late-penalty", "drop", "bom", "layout", "student-pattern", "attempt"}

func (c *classOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.roster, "roster", "", "with --sheet, give everybody in this `table` of the class a row")
	f.StringVar(&c.points, "points", "", "give points by `RULE`: cases or groups, for the part that passes; a number for all cases; or both, as in cases:10")
	f.StringArrayVar(&c.weights, "weight", nil, "with --sheet, `PROBLEM=POINTS` for a problem that is solved whole; may be repeated")
	f.StringVar(&c.late, "late-penalty", "", "with --sheet, the `part` of the points that what was handed in late loses, such as 20%")
	f.IntVar(&c.drop, "drop", 0, "with --sheet, do not count the `number` of problems with the fewest points")
	f.BoolVar(&c.bom, "bom", false, "with --sheet, begin tables with a byte order mark, without which Excel mistakes their letters")
}

// scoring returns what the flags say about points.
func (c *classOptions) scoring(problems []string) (s account.Scoring, err error) {
	if c.points != "" {
		if s.Share, err = points.ParseShare(c.points); err != nil {
			return s, fmt.Errorf("--points: %w", err)
		}
	}
	s.Weights = map[string]float64{}
	for _, w := range c.weights {
		name, text, _ := strings.Cut(w, "=")
		at := slices.IndexFunc(problems, func(p string) bool { return strings.EqualFold(p, name) })
		if at < 0 {
			return s, fmt.Errorf("--weight %s: no problem %q (hint: the problems are %s)", w, name, strings.Join(problems, ", "))
		}
		if _, twice := s.Weights[problems[at]]; twice {
			return s, fmt.Errorf("--weight %s: %s has a weight (hint: give one for each problem)", w, problems[at])
		}
		if s.Weights[problems[at]], err = points.Amount(text); err != nil {
			return s, fmt.Errorf("--weight %s: want PROBLEM=POINTS (hint: --weight %s=10)", w, problems[at])
		}
	}
	if c.late != "" {
		part, err := strconv.ParseFloat(strings.TrimSuffix(c.late, "%"), 64)
		if err != nil || !(part >= 0 && part <= 100) || !strings.HasSuffix(c.late, "%") {
			return s, fmt.Errorf("--late-penalty %s: want a percentage from 0%% to 100%% (hint: --late-penalty 20%%)", c.late)
		}
		s.Late = part / 100
	}
	if c.drop < 0 || c.drop >= max(1, len(problems)) && c.drop > 0 {
		return s, fmt.Errorf("--drop %d: want a number from 0 to %d, because one of the %d problems has to count", c.drop, len(problems)-1, len(problems))
	}
	s.Drop = c.drop
	return s, nil
}
