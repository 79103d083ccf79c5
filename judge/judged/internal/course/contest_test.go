package course

import (
	"strings"
	"testing"
)

// TestReadContest reads contests as several systems write them.
func TestReadContest(t *testing.T) {
	t.Parallel()
	const head, five = "name: Cup\nstart_time: 2026-12-01T09:00:00+01:00\n", "duration: 5:00:00\n"
	const usual = "title: Cup\nopen: 2026-12-01T09:00:00+01:00\ndue: 2026-12-01T14:00:00+01:00\n"
	for _, tt := range []struct{ why, text, problems, id, left, want string }{
		{"the specification of 2011", "---\nname: Cup\nshort-name: Cup 2026!\nstart-time: 2026-12-01T09:00:00+01:00\nduration: 5:00:00\nscoreboard-freeze-length: 1:00:00\npenalty-time: 20\n",
			"---\nproblems:\n  - letter: A\n    short-name: sum\n    color: yellow\n    rgb: '#ffff00'\n  - letter: N\n    short-name: no\n    color: forest green\n",
			"cup_2026", "", usual[:11] + "problems:\n  - {label: A, problem: sum, colour: '#ffff00'}\n  - {label: N, problem: no}\n" + usual[11:] + "freeze: 2026-12-01T13:00:00+01:00\nscoring: icpc\npenalty: 20m0s\n"},
		{"the specification of 2026, in JSON", `{"id": "cup", "name": "Short", "formal_name": "Cup", "start_time": "2026-12-01T09:00:00.000+01", "duration": "5:00:00.000", "scoreboard_freeze_duration": null, "scoreboard_thaw_time": null, "scoreboard_type": "pass-fail", "penalty_time": "0:10:00", "banner": [{"href": "x"}], "location": null}`,
			"[{\"id\": \"b\", \"label\": \"B\", \"name\": \"Bee\", \"ordinal\": 2, \"rgb\": \"#0aF\"},\n\t{\"id\": \"a\", \"label\": \"A\", \"name\": \"A\", \"ordinal\": 1, \"time_limit\": 2.5, \"test_data_count\": 3}]",
			"cup", "banner, name, test_data_count, time_limit", usual[:11] + "problems:\n  - {label: A, problem: a}\n  - {label: B, problem: b, colour: '#00aaFF'}\n" + usual[11:] + "scoring: icpc\npenalty: 10m0s\n"},
		{"an export of DOMjudge", "id: cup\nformal_name: Cup\nname: c\nstart_time: '2026-12-01T09:00:00+01:00'\nend_time: '5:00:00'\nduration: '5:00:00.000'\npenalty_time: 20\nactivate_time: '-0:30:00'\nscoreboard_type: score\nmedals:\n    enabled: true\n    gold: 4\nscoreboard_freeze_time: '+4:30'\nscoreboard_freeze_duration: '0:30:00'\nscoreboard_thaw_time: '2026-12-01T15:00:00+01:00'\npublic: true\nproblems:\n    - { id: sum, label: A, letter: A, name: Sum, color: '#fe9daf', rgb: '#fe9daf', points: 10 }\n", "",
			"cup", "activate_time, medals, name", usual[:11] + "problems:\n  - {label: A, problem: sum, points: 10, colour: '#fe9daf'}\n" + usual[11:] + "freeze: 2026-12-01T13:30:00+01:00\nthaw: 2026-12-01T15:00:00+01:00\nscoring: points\nstandings: public\n"},
		{"problems inside, a space for T, minutes and seconds", "name: Cup\nshort-name: cup\nstart-time: 2026-12-01 09:00:00+01:00\n" + five + "scoreboard-freeze-length: '30:00'\nwarning-message: Wait.\nproblemset:\n  problems: [{letter: A, short-name: sum}]\n", "",
			"cup", "", "title: Cup\nabout: Wait.\nproblems:\n  - {label: A, problem: sum}\n" + usual[11:] + "freeze: 2026-12-01T13:30:00+01:00\nscoring: icpc\n"},
		{"the least, from Windows", "\ufeffname: Cup\r\nstart_time: 2026-12-01T08:00:00Z\r\nduration: 5:00:00\r\n", "", "", "", strings.NewReplacer("09:00:00+01:00", "08:00:00Z", "14:00:00+01:00", "13:00:00Z").Replace(usual) + "scoring: icpc\n"},

		{"an unknown key", head + five + "scoreboard_freeze_durration: 1:00:00\n", "", "", "", `contest.yaml:4: unknown key "scoreboard_freeze_durration" (hint: did you mean scoreboard_freeze_duration?)`},
		{"an unknown key of a problem", head + five + "problems:\n  - {id: a, label: A, tests: 3}\n", "", "", "", `contest.yaml:5: problem 1: unknown key "tests"`},
		{"no start", "name: Cup\nstart_time: null\n" + five, "", "", "", "contest.yaml:1: a contest needs a start_time and a duration (hint: a time with a zone, and a length such as 5:00:00)"},
		{"no zone", "name: Cup\nstart_time: 2026-12-01T09:00:00\n" + five, "", "", "", `contest.yaml:2: "2026-12-01T09:00:00" is no time with a zone (hint: such as 2026-12-01T09:00:00+01:00)`},
		{"a start that is relative", "name: Cup\nstart_time: 1:00:00\n" + five, "", "", "", `contest.yaml:2: "1:00:00" is no time with a zone (hint: such as 2026-12-01T09:00:00+01:00)`},
		{"hours alone", head + "duration: 5\n", "", "", "", `contest.yaml:3: "5" is no length of time (hint: such as 5:00:00, which is five hours)`},
		{"a negative length", head + "duration: -5:00:00\n", "", "", "", `contest.yaml:3: "-5:00:00" is no length of time (hint: such as 5:00:00, which is five hours)`},
		{"too long a freeze", head + five + "scoreboard_freeze_duration: 6:00:00\n", "", "", "", "contest.yaml:4: the freeze is longer than the contest"},
		{"two ends", head + five + "end_time: 4:00:00\n", "", "", "", "contest.yaml:4: the end or the freeze is at 2026-12-01T14:00:00+01:00 by its length, and at 2026-12-01T13:00:00+01:00 by its time (hint: keep one of them)"},
		{"two penalties", head + five + "penalty-time: 10\npenalty_time: 20\n", "", "", "", "contest.yaml:5: penalty_time contradicts penalty-time (hint: keep one of them)"},
		{"no penalty", head + five + "penalty_time: 0\n", "", "", "", "contest.yaml:4: penalty_time: a course cannot do without a penalty (hint: leave it out for 20 minutes)"},
		{"another type", head + five + "scoreboard_type: live\n", "", "", "", `contest.yaml:4: unknown scoreboard_type "live" (hint: pass-fail or score)`},
		{"a colour that is none", head + five, "- {id: a, label: A, rgb: red}\n", "", "", "problems.yaml:1: problem 1: rgb \"red\" is no colour (hint: such as '#e03131', in quotes)"},
		{"problems without labels", head + five, "- {id: a}\n", "", "", `contest.yaml: problem 1: label "": want 1 to 8 characters, such as A`},
		{"two lists of problems", head + five + "problems: [{id: a, label: A}]\n", "- {id: a, label: A}\n", "", "", "problems.yaml:1: the contest has a list of problems already (hint: keep one of them)"},
		{"no list", head + five, "a\n", "", "", "problems.yaml:1: problems: want a list"},
		{"problems of a course.yaml", "title: T\n", "- {id: a, label: A}\n", "", "", "contest.yaml: no contest.yaml, to which lists of problems belong (hint: the contest.yaml comes first; a course.yaml has its problems itself)"},
		{"no YAML", head + five, "[{", "", "", "problems.yaml:1: "},
		{"an alias", head + five + "name: &a x\n", "", "", "", "contest.yaml:4: anchor &a"},
	} {
		var files []File
		if tt.problems != "" {
			files = []File{{"problems.yaml", []byte(tt.problems)}}
		}
		c, contest, err := Read("contest.yaml", []byte(tt.text), files...)
		if err != nil {
			if tt.want == "" || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
			}
			continue
		}
		if got := string(Write(&c)); contest == nil || contest.ID != tt.id || strings.Join(contest.Left, ", ") != tt.left || got != tt.want {
			t.Errorf("%s: %+v\n%s\nwant %s, %s\n%s", tt.why, contest, got, tt.id, tt.left, tt.want)
		}
		if tt.problems == "" {
			continue
		}
		if pasted, _, err := Read("pasted", []byte(tt.text+"\n---\n"+strings.TrimPrefix(tt.problems, "---\n"))); err != nil || string(Write(&pasted)) != tt.want {
			t.Errorf("%s, one below the other: %v\n%s", tt.why, err, Write(&pasted))
		}
	}
	if _, contest, err := Read("course.yaml", []byte("title: T\n")); contest != nil || err != nil {
		t.Errorf("a course.yaml: %v, %v", contest, err)
	}
}

func FuzzReadContest(f *testing.F) {
	f.Add("name: Cup\nstart_time: 2026-12-01T09:00:00Z\nduration: 5:00:00\n", "- {id: a, label: A}\n")
	f.Add("{\"name\": \"Cup\", \"start-time\": \"2026-12-01 09:00:00Z\", \"duration\": \"1:30\", \"freeze\": \"1:00\", \"penalty\": 1}", "problems: []\n")
	f.Fuzz(func(t *testing.T, text, problems string) {
		c, _, err := Read("contest.yaml", []byte(text), File{"problems.yaml", []byte(problems)})
		if err != nil {
			return
		}
		if _, contest, err := Read("course.yaml", Write(&c)); contest != nil || err != nil {
			t.Errorf("%q became %q: %v", text, Write(&c), err)
		}
	})
}
