package course

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"tribunal/judge/judged/internal/ledger"
)

// Exports are the files of [Export].
var Exports = []string{"results.tsv", "scoreboard.json", "awards.json", "teams.json"}

// Export returns standings as a file of the CCS specification: results.tsv as it was until 2022, or scoreboard.json,
// awards.json or teams.json of a contest package. Teams are participants, by their logins. It returns nil for another file.
func Export(file string, c *ledger.CourseState, s *Standings, now time.Time) []byte {
	places := placesOf(c, s)
	switch file {
	case "results.tsv":
		return results(places)
	case "scoreboard.json":
		return indented(scoreboardOf(c, places, now))
	case "awards.json":
		return indented(awardsOf(s, places))
	case "teams.json":
		teams := []team{}
		for _, p := range places {
			teams = append(teams, team{p.Login, p.Login, p.Name})
		}
		return indented(teams)
	}
	return nil
}

func indented(v any) []byte {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // it is made of the package's own types
	}
	return append(text, '\n')
}

type team struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Name  string `json:"name"`
}

// place is the final place of a row.
type place struct {
	*Row
	final  int // rank; 0: not ranked
	award  string
	winner bool          // of its group
	time   time.Duration // of the last improvement
}

// The last places with medals. The specification lets a contest add some for bronze, which courses do not.
const gold, silver, bronze = 4, 8, 12

// placesOf returns the final places, in the order of the standings and with equal ones by name. With icpc, places
// after the medals are by solved problems alone, and who solved fewer than the median is not ranked.
func placesOf(c *ledger.CourseState, s *Standings) []place {
	list, ranks, winners := make([]place, len(s.Rows)), map[int]int{}, map[string]int{}
	median := 0
	if len(s.Rows) > 0 {
		median = s.Rows[len(s.Rows)/2].Solved
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		p := place{Row: r, final: r.Rank, award: "Ranked"}
		for _, cell := range r.Cells {
			p.time = max(p.time, improved(c, &cell))
		}
		switch {
		case score(c, r) == 0, c.Scoring == ledger.ICPC && r.Rank > bronze && r.Solved < median:
			p.final, p.award = 0, "Honorable"
		case r.Rank <= gold:
			p.award = "Gold Medal"
		case r.Rank <= silver:
			p.award = "Silver Medal"
		case r.Rank <= bronze:
			p.award = "Bronze Medal"
		case c.Scoring == ledger.ICPC:
			if ranks[r.Solved] == 0 {
				ranks[r.Solved] = r.Rank
			}
			p.final = ranks[r.Solved]
		}
		if r.Group != "" && score(c, r) > 0 && cmp.Or(winners[r.Group], r.Rank) == r.Rank {
			winners[r.Group], p.winner = r.Rank, true
		}
		list[i] = p
	}
	names := collate.New(language.AmericanEnglish)
	slices.SortStableFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), names.CompareString(a.Name, b.Name))
	})
	return list
}

// score returns what the standings count first.
func score(c *ledger.CourseState, r *Row) float64 {
	if c.Scoring == ledger.ICPC || c.Scoring == ledger.Practice {
		return float64(r.Solved)
	}
	return r.Points
}

// improved returns when the score of a cell became what it is, 0 if there is none.
func improved(c *ledger.CourseState, cell *Cell) time.Duration {
	if c.Scoring == ledger.ICPC || c.Scoring == ledger.Practice {
		return cell.At
	}
	return cell.scored
}

// results returns a results.tsv. Its first field is the login, because members have no other id.
func results(places []place) []byte {
	slices.SortStableFunc(places, func(a, b place) int { // as they are by name, equal ranks stay so
		return cmp.Compare(uint(a.final-1), uint(b.final-1)) // who is not ranked comes last
	})
	text := []byte("results\t1\n")
	for _, p := range places {
		rank, winner := "", ""
		if p.final > 0 {
			rank = strconv.Itoa(p.final)
		}
		if p.winner {
			winner = p.Group
		}
		text = fmt.Appendf(text, "%s\t%s\t%s\t%d\t%d\t%d\t%s\n", p.Login, rank, p.award, p.Solved, p.Penalty/time.Minute, p.time/time.Minute, winner)
	}
	return text
}

// scoreboard is a scoreboard.json of the Contest API.
type scoreboard struct {
	Time        time.Time       `json:"time"`
	ContestTime string          `json:"contest_time"`
	State       state           `json:"state"`
	Rows        []scoreboardRow `json:"rows"`
}

type state struct {
	Started      *time.Time `json:"started"`
	Frozen       *time.Time `json:"frozen"`
	Ended        *time.Time `json:"ended"`
	Thawed       *time.Time `json:"thawed"`
	Finalized    *time.Time `json:"finalized"` // courses are never final
	EndOfUpdates *time.Time `json:"end_of_updates"`
}

type scoreboardRow struct {
	Rank     int                 `json:"rank"`
	Team     string              `json:"team_id"`
	Score    map[string]any      `json:"score"`
	Problems []scoreboardProblem `json:"problems"`
}

type scoreboardProblem struct {
	Problem string   `json:"problem_id"`
	Judged  int      `json:"num_judged"`
	Pending int      `json:"num_pending"`
	Solved  *bool    `json:"solved,omitempty"`
	Score   *float64 `json:"score,omitempty"`
	Time    string   `json:"time,omitempty"`
}

func scoreboardOf(c *ledger.CourseState, places []place, now time.Time) *scoreboard {
	past := func(t time.Time) *time.Time {
		if t = t.Truncate(time.Second); t.IsZero() || now.Before(t) {
			return nil
		}
		return &t
	}
	b := &scoreboard{
		Time: now.UTC().Truncate(time.Second), ContestTime: relativeTime(0), Rows: []scoreboardRow{},
		State: state{Started: past(c.Open), Frozen: past(c.Freeze), Ended: past(c.Due), Thawed: past(c.Thaw)},
	}
	if !c.Open.IsZero() {
		b.ContestTime = relativeTime(now.Sub(c.Open))
	}
	passFail := c.Scoring == ledger.ICPC || c.Scoring == ledger.Practice
	for _, p := range places {
		row := scoreboardRow{Rank: p.Rank, Team: p.Login, Score: map[string]any{"score": p.Points, "time": nil}, Problems: []scoreboardProblem{}}
		if passFail {
			row.Score = map[string]any{"num_solved": p.Solved, "total_time": relativeTime(p.Penalty), "time": nil}
		}
		if score(c, p.Row) > 0 {
			row.Score["time"] = relativeTime(p.time.Truncate(time.Minute))
		}
		for i := range p.Cells {
			cell := &p.Cells[i]
			one := scoreboardProblem{Problem: c.Problems[i].Problem, Judged: cell.Attempts, Pending: cell.Pending}
			if passFail {
				one.Solved = &cell.Solved
			} else {
				one.Score = &cell.Points
			}
			if passFail && cell.Solved || !passFail && cell.Points > 0 {
				one.Time = relativeTime(improved(c, cell).Truncate(time.Minute))
			}
			row.Problems = append(row.Problems, one)
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// relativeTime writes a time as the Contest API does: h:mm:ss.
func relativeTime(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, d/time.Hour, d/time.Minute%60, d/time.Second%60)
}

type award struct {
	ID       string   `json:"id"`
	Citation string   `json:"citation"`
	Teams    []string `json:"team_ids"`
}

// awardsOf returns an awards.json, with the ids that the Contest API knows.
func awardsOf(s *Standings, places []place) []award {
	list, index := []award{}, map[string]int{}
	add := func(id, citation string, teams ...string) {
		i, known := index[id]
		if known && list[i].Citation != citation { // of another group, whose name has the same letters
			id += "-" + teams[0]
			i, known = index[id]
		}
		if !known {
			i = len(list)
			index[id], list = i, append(list, award{id, citation, []string{}})
		}
		list[i].Teams = append(list[i].Teams, teams...)
	}
	const winner = "Contest winner"
	add("winner", winner)
	for i, problem := range s.Problems {
		id, citation := "first-to-solve-"+problem.Problem, "First to solve problem "+problem.Label
		add(id, citation)
		for _, p := range places {
			if p.Cells[i].First {
				add(id, citation, p.Login)
			}
		}
	}
	for _, p := range places {
		if p.final == 1 {
			add("winner", winner, p.Login)
		}
		switch kind, medal := strings.CutSuffix(p.award, " Medal"); {
		case medal:
			add(strings.ToLower(kind)+"-medal", kind+" medal winner", p.Login)
		case p.final > 0:
			add(fmt.Sprint("rank-", p.final), fmt.Sprint("Rank ", p.final), p.Login)
		default:
			add("honorable-mention", "Honorable mention", p.Login)
		}
		if p.winner {
			add("group-winner-"+idOf(p.Group), "Winner of group "+p.Group, p.Login)
		}
	}
	return list
}
