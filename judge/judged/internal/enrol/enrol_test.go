package enrol

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

func shown(p *ledger.Person) string {
	return fmt.Sprintf("%s=%s/%s/%s/%s", p.Login, p.Name, p.Group, p.Email, p.Role)
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, file, text, want string }{
		{"commas", "c.csv", "Name,Login,Group,E-Mail,Role\nAnn Lee,Ann,g1,ann@x.org,teacher\n", "ann=Ann Lee/g1/ann@x.org/teacher"},
		{"a name alone", "c.csv", "name\nAnn Lee\nAnn Lee\n", "=Ann Lee///\n=Ann Lee///"},
		{"German, by semicolons, in Windows-1252", "c.csv", "sep=;\r\nName;Vorname;Rolle\r\nM\xfcller;\xc4nne;Teilnehmer\r\n", "=Änne Müller///participant"},
		{"two columns of names", "c.csv", "Last name\tFirst name\tUsername\nLee\tAnn\tlee\n", "lee=Ann Lee///"},
		{"Canvas", "c.csv", "Student,ID,SIS Login ID,Section\n\"Lee, Ann\",7,alee,S 1\n", "alee=Ann Lee/S 1//"},
		{"UTF-16", "c.csv", "\xff\xfen\x00a\x00m\x00e\x00\n\x00\xe9\x00\n\x00", "=é///"},
		{"UTF-16 of the other order", "c.csv", "\xfe\xff\x00n\x00a\x00m\x00e\x00\n\x00\xe9", "=é///"},
		{"a byte order mark, a line end in a name, and empty lines", "c.csv", "\ufeffname,login\n\"Ann\nLee\",ann\u00a0\n\n , \n", "ann=Ann Lee///"},
		{"lines that end as they did on old Macs", "c.csv", "name,login\r\"Ann\",ann\r", "ann=Ann///"},
		{"columns without a name", "c.csv", "name,,\nAnn,1,2\n", "=Ann///"},
		{"accounts.tsv", "accounts.tsv", "accounts\t1\nteam\tTeam One\tteam001\tsecret\njudge\tJo\tjo\tsecret\r\n", "team001=Team One///participant\njo=Jo///teacher"},
		{"teams.tsv", "teams.tsv", "File_Version\t2\n3\t9001\tg\tRed\tUni\tU\tDEU\n", "team3=Red/g//"},
		{"accounts in JSON", "a.json", `[{"id":"1","username":"ann","type":"team","name":"Ann","password":"secret"}, {"username":"adm","type":"admin"}]`, "ann=Ann///participant\nadm=adm///teacher"},
		{"accounts in YAML", "a.yaml", "- id: 1\n  username: ann\n  type: analyst\n  name: Ann\n", "ann=Ann///observer"},
		{"accounts after a comment", "a.yaml", "# finals\n- {username: ann, type: team, name: Ann}\n", "ann=Ann///participant"},
		{"teams in JSON", "t.json", `[{"id":1000012,"name":"Red","display_name":"The Reds","group_ids":["g1","g2"]}]`, "team1000012=The Reds/g1//"},

		{"all faults", "c.csv", "name,login,e-mail,role\nAnn,a b,,\n,bob,,\nCid,cid,x,\nDan,dan,,king\nEve,eve,,\nEve,EVE,,\n",
			"c.csv:2: the login \"a b\" is not valid (hint: up to 63 lower-case letters, digits and ._@+-)\nc.csv:3: no name (hint: every row names a person)\nc.csv:4: the e-mail address \"x\" is not valid (hint: such as ann@example.org)\nc.csv:5: unknown role \"king\" (hint: participant, observer or teacher)\nc.csv:7: the login eve is that of line 6, too (hint: every login is there once)"},
		{"two columns of logins", "c.csv", "name,login,Login\nAnn,ann,bob\n", "c.csv:1: two columns are called \"login\" (hint: a list has one column of each kind)"},
		{"a quote that does not end", "c.csv", "name,login\n\"Ann,ann\n", "c.csv:2: extraneous or missing \" in quoted-field (hint: CSV as of RFC 4180: fields with separators or quotes stand in quotes)"},
		{"a letter that only looks like one", "c.csv", "name,login\nAnn,\u0430nn\n", "c.csv:2: the login \"\u0430nn\" is not valid (hint: up to 63 lower-case letters, digits and ._@+-)"},
		{"text that runs backwards", "c.csv", "name\nA\u202enn\n", "c.csv:2: name, group or e-mail of \"A\\u202enn\": want at most 200 printable characters"},
		{"too many", "c.csv", "name\n" + strings.Repeat("A\n", 20001), "c.csv: 20001 people; a list has at most 20000 (hint: import it in parts)"},
		{"no names", "c.csv", "a,b\n1,2\n", "c.csv:1: no column with names (hint: " + hint + ")"},
		{"only a header", "c.csv", "name\n", "c.csv: the list has no people (hint: " + hint + ")"},
		{"nothing", "c.csv", "", "c.csv: the table is empty (hint: " + hint + ")"},
		{"a workbook", "c.xlsx", "PK\x03\x04", "c.xlsx: a workbook, not a table in CSV (hint: save its sheet as CSV)"},
		{"a field too few", "c.csv", "name,login\nAnn\n", "c.csv:2: number of fields: 1, but 2 in the header (hint: every row has all columns; a field with a separator stands in quotes)"},
		{"a field too few in accounts", "a.tsv", "accounts\t1\nteam\tx\nteam\n", "a.tsv:2: 2 fields (hint: accounts have type, name, login and password; teams have number, id, group and name)\na.tsv:3: 1 fields (hint: accounts have type, name, login and password; teams have number, id, group and name)"},
		{"broken JSON", "a.json", "[{", "a.json: unexpected EOF (hint: accounts and teams are a list of objects)"},
		{"an object", "a.json", "{}", "a.json: not such a list (hint: accounts and teams are a list of objects)"},
		{"a mapping in YAML", "a.yml", "ann: Ann\n", "a.yml: not such a list (hint: accounts and teams are a list of objects)"},
		{"a login twice in JSON", "a.json", `[{"username":"a"},{"username":"A"},{"username":" "}]`, "a.json: entry 2: the login a is that of entry 1, too (hint: every login is there once)\na.json: entry 3: no name (hint: every row names a person)"},
		{"a control character", "c.csv", "name\nA\x07\n", "c.csv:2: name, group or e-mail of \"A\\a\": want at most 200 printable characters"},
		{"a long name", "c.csv", "name\n" + strings.Repeat("x", 201) + "\n", "c.csv:2: name, group or e-mail of \"" + strings.Repeat("x", 40) + "\": want at most 200 printable characters"},
	} {
		people, err := Parse(File{tt.file, []byte(tt.text)})
		var lines []string
		for i := range people {
			lines = append(lines, shown(&people[i]))
		}
		got := strings.Join(lines, "\n")
		if err != nil {
			got = err.Error()
			if _, located := errors.AsType[*yamlstrict.Error](err); !located || people != nil {
				t.Errorf("%s: %T %v with %v", tt.why, err, err, people)
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestParseSeveral reads the files of a contest together.
func TestParseSeveral(t *testing.T) {
	t.Parallel()
	teams := File{"teams.json", []byte(`[{"id":"1","icpc_id":"447047","label":"1","group_ids":["24"],"name":"red","display_name":"The Reds","organization_id":"U-1","location":{"description":"A"}}, {"id":"2","name":"Blue","group_ids":["25"],"organization_id":null,"hidden":false}, {"id":"x3","name":"Green","label":"3"}]`)}
	groups := File{"groups.json", []byte(`[{"id":"24","icpc_id":"1","name":"North","hidden":false,"sortorder":0}, {"id":"25","name":"South"}]`)}
	universities := File{"organizations.json", []byte(`[{"id":"U-1","icpc_id":"42","name":"LU","formal_name":"Lund University","country":"SWE"}]`)}
	accounts := File{"accounts.yaml", []byte("- id: team001\n  username: team001\n  password: x\n  type: team\n  name: team001\n  ip: 10.0.0.1\n- id: blue\n  username: blue\n  type: team\n  team_id: '2'\n- id: jo\n  username: jo9\n  type: judge\n  name: Jo\n- id: b\n  username: runner\n  type: balloon\n")}
	for _, tt := range []struct {
		why   string
		files []File
		want  string
	}{
		{"all, by ids and by numbers in logins", []File{groups, universities, teams, accounts}, "x3=Green///\nteam001=The Reds/North//participant\nblue=Blue/South//participant\njo9=Jo///teacher"},
		{"in another order", []File{accounts, teams, groups}, "team001=The Reds/North//participant\nblue=Blue/South//participant\njo9=Jo///teacher\nx3=Green///"},
		{"teams alone", []File{teams}, "team1=The Reds/24//\nteam2=Blue/25//\nx3=Green///"},
		{"tables with tabs", []File{{"groups.tsv", []byte("groups\t1\n24\tNorth\n")}, {"teams.tsv", []byte("teams\t1\n1\t447047\t24\tReds\tLund University\tLU\tSWE\n")}, {"accounts.tsv", []byte("accounts\t1\nteam\tTeam 1\tteam-001\tx\n")}}, "team-001=Reds/North//participant"},
		{"tables of the same heading", []File{{"g.tsv", []byte("File_Version\t1\n24\tNorth\n")}, {"t.tsv", []byte("File_Version\t2\n1\t447047\t24\tReds\tLund University\tLU\tSWE\tU-1\n")}, {"a.tsv", []byte("File_Version\t1\nteam\tTeam 1\tteam001\tx\t10.0.0.1\n")}}, "team001=Reds/North//participant"},
		{"groups alone", []File{groups}, "groups.json: the list has no people, but groups, organizations or accounts of other types (hint: judged people import groups.json teams.json accounts.yaml)"},
		{"a team twice", []File{teams, teams}, "teams.json: entry 1: the team \"1\" is there twice (hint: every team is there once)\nteams.json: entry 2: the team \"2\" is there twice (hint: every team is there once)\nteams.json: entry 3: the team \"x3\" is there twice (hint: every team is there once)"},
		{"a team with the login of somebody else", []File{{"a.json", []byte(`[{"username":"team1","type":"judge","name":"Jo"}]`)}, {"t.json", []byte(`[{"id":"1","name":"Red","label":"1"}]`)}}, "t.json: the login team1 of a team is that of Jo, too (hint: every login is there once)"},
		{"a fault in the second", []File{groups, {"a.json", []byte(`[{"username":"a b"}]`)}}, `a.json: entry 1: the login "a b" is not valid (hint: up to 63 lower-case letters, digits and ._@+-)`},
	} {
		people, err := Parse(tt.files...)
		var lines []string
		for i := range people {
			lines = append(lines, shown(&people[i]))
		}
		if err != nil {
			lines = []string{err.Error()}
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"name,login\nAnn,ann\n", "accounts\t1\nteam\tx\ty\tz\n", `[{"username":"a"}]`, "- name: x\n  id: 3\n", "sep=;\nNachname;Vorname\na;b"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		people, err := Parse(File{"x", data})
		if (err == nil) != (len(people) > 0) {
			t.Fatalf("%v, %v", people, err)
		}
		for _, p := range people {
			if Check(&p) != nil {
				t.Fatalf("%+v: %v", p, Check(&p))
			}
		}
	})
}

// world is a service with accounts.
type world struct {
	*service.Service
	tokens *access.Tokens
}

func start(t *testing.T) *world {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := brokertest.Open(t, brokertest.Connect(t), broker.Options{})
	svc, err := service.New(ctx, s, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := access.NewLogStore(ctx, s.Tokens, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = svc.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	for _, id := range []string{"c", "other"} {
		if err := svc.SetCourse(t.Context(), id, ledger.Course{Title: id}, 0, "root"); err != nil {
			t.Fatal(err)
		}
	}
	return &world{svc, access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})}
}

// enrol imports a list, and returns what became of each person.
func (w *world) enrol(t *testing.T, course, text string) (lines []string) {
	t.Helper()
	people, err := Parse(File{"c.csv", []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := PlanFor(t.Context(), w, w.tokens, course, people, false)
	if err == nil {
		err = Enrol(t.Context(), w, w.tokens, course, plan, "tea", false)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range plan {
		line := string(m.State) + " " + shown(&m.Person)
		if m.Invitation != "" {
			pass, err := w.tokens.Pass(t.Context(), access.Invitation, m.Invitation)
			if err != nil || pass.Login != m.Login {
				t.Errorf("the invitation of %s: %+v, %v", m.Login, pass, err)
			}
			line += " invited"
		}
		if m.Note != "" {
			line += " noted"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestEnrol(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, tt := range []struct {
		why, course, text string
		before            func()
		want              []string
	}{
		{"logins are made", "c", "name,e-mail\nAnn Lee,\nAnn Lee,\nJürgen Groß,jg@x.org\nÉva Nagy,\n李,\n", nil, []string{
			"new ann.lee=Ann Lee///participant invited", "new ann.lee2=Ann Lee///participant invited", "new jg=Jürgen Groß//jg@x.org/participant invited",
			"new eva.nagy=Éva Nagy///participant invited", "new member=李///participant invited",
		}},
		{"the same list again changes nothing", "c", "name,e-mail\nAnn Lee,\nAnn Lee,\nJürgen Groß,jg@x.org\n", nil, []string{
			"same ann.lee=Ann Lee///participant invited", "same ann.lee2=Ann Lee///participant invited", "same jg=Jürgen Groß//jg@x.org/participant invited",
		}},
		{"empty fields stay", "c", "name,login,group,role\nAnn Lee,ann.lee,g1,observer\nAnn Lee,ann.lee2,,\n", nil, []string{
			"changed ann.lee=Ann Lee/g1//observer invited", "same ann.lee2=Ann Lee///participant invited",
		}},
		{"another name, and the same address", "c", "name,e-mail\nJürgen Groß-Lee,JG@x.org\n", nil, []string{"changed jg=Jürgen Groß-Lee//JG@x.org/participant invited"}},
		{"who has a password needs no invitation", "c", "name,login\nÉva Nagy,eva.nagy\n", func() {
			if err := w.tokens.SetPassword(t.Context(), "eva.nagy", "long enough"); err != nil {
				t.Fatal(err)
			}
		}, []string{"same eva.nagy=Éva Nagy///participant"}},
		{"a login of another course is not taken over", "other", "name,login\nAnn Lee,ann.lee\n", nil, []string{"new ann.lee=Ann Lee///participant noted"}},
		{"nor by its name, which others may have", "other", "name\nÉva Nagy\n", nil, []string{"new eva.nagy2=Éva Nagy///participant invited"}},
		{"nor by its address, which others may claim", "other", "name,e-mail\nJG,jg@x.org\n", nil, []string{"new jg2=JG//jg@x.org/participant invited"}},
		{"a login with an account in no course is no new one", "other", "name,login\nZoe,\nYan,yan\n", func() {
			for _, login := range []string{"zoe", "yan"} {
				if err := w.tokens.SetPassword(t.Context(), login, "long enough"); err != nil {
					t.Fatal(err)
				}
			}
		}, []string{"new zoe2=Zoe///participant invited", "new yan=Yan///participant noted"}},
	} {
		if tt.before != nil {
			tt.before()
		}
		if got := w.enrol(t, tt.course, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.why, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
	if p, err := w.Person("c", "ann.lee"); err != nil || p.Role != ledger.Observer {
		t.Errorf("ann.lee is %+v, %v", p, err)
	}
	if _, err := PlanFor(t.Context(), w, w.tokens, "c", []ledger.Person{{Login: "x", Name: "x"}, {Login: "x", Name: "y"}}, true); !errors.Is(err, service.ErrInvalid) {
		t.Errorf("a login twice: %v", err)
	}
}

// TestExistingLogins checks which roles a teacher can give to logins that exist elsewhere.
func TestExistingLogins(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.enrol(t, "c", "name,login,role\nAnn,ann,\nMia,mia,\n")
	if err := w.tokens.SetPassword(t.Context(), "root", "long enough"); err != nil { // of an account in no course
		t.Fatal(err)
	}
	w.enrol(t, "other", "name,login\nMia,mia\n")
	people := []ledger.Person{
		{Login: "ann", Name: "Ann", Role: ledger.Teacher}, {Login: "root", Name: "Root", Role: ledger.Observer},
		{Login: "mia", Name: "Mia", Role: ledger.Teacher}, {Login: "new", Name: "New", Role: ledger.Teacher},
	}
	const want = "ann has an account already, and becomes a participant (hint: only an administrator can add it as teacher): invalid request\n" +
		"root has an account already, and becomes a participant (hint: only an administrator can add it as observer): invalid request"
	if plan, err := PlanFor(t.Context(), w, w.tokens, "other", people, false); err == nil || err.Error() != want || !errors.Is(err, service.ErrInvalid) {
		t.Errorf("a teacher: %+v, %v", plan, err)
	}
	plan, err := PlanFor(t.Context(), w, w.tokens, "other", people, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range plan {
		if m.Role != people[i].Role || (m.Note != "") != (m.Login == "ann" || m.Login == "root") {
			t.Errorf("an administrator: %+v", m)
		}
	}
}

// TestHolds checks that an invitation by a teacher does not outlive the moment when the login enters another course.
func TestHolds(t *testing.T) {
	t.Parallel()
	w := start(t)
	invitation := func(administrator bool) access.Pass {
		t.Helper()
		plan, err := PlanFor(t.Context(), w, w.tokens, "c", []ledger.Person{{Login: "ann", Name: "Ann"}}, administrator)
		if err == nil {
			err = Enrol(t.Context(), w, w.tokens, "c", plan, "tea", administrator)
		}
		if err != nil {
			t.Fatal(err)
		}
		pass, err := w.tokens.Pass(t.Context(), access.Invitation, plan[0].Invitation)
		if err != nil {
			t.Fatal(err)
		}
		return pass
	}
	ofTeacher, ofAdministrator := invitation(false), invitation(true)
	if !Holds(w, ofTeacher) || !Holds(w, ofAdministrator) {
		t.Error("an invitation does not hold in the course that made it")
	}
	w.enrol(t, "other", "name,login\nAnn,ann\n")
	if Holds(w, ofTeacher) || !Holds(w, ofAdministrator) {
		t.Errorf("in another course: %v by a teacher, %v by an administrator", Holds(w, ofTeacher), Holds(w, ofAdministrator))
	}
	if _, err := Erase(t.Context(), w, w.tokens, "c", "ann", "tea"); err != nil || Holds(w, ofTeacher) {
		t.Errorf("in the other course only, it holds, or %v", err)
	}
}

// counted counts how often it is asked for passwords.
type counted struct {
	Accounts
	asked int
}

func (c *counted) HasPassword(context.Context, string) bool {
	c.asked++
	return false
}

// TestNamesakes plans for 20,000 people with the same name: each login is looked up some times, not thousands.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	w := start(t)
	accounts := &counted{Accounts: w.tokens}
	people := make([]ledger.Person, 20_000)
	for i := range people {
		people[i].Name = "Ann Lee"
	}
	plan, err := PlanFor(t.Context(), w, accounts, "c", people, false)
	if err != nil || plan[0].Login != "ann.lee" || plan[1].Login != "ann.lee2" || plan[19_999].Login != "ann.lee20000" || accounts.asked > 3*len(people) {
		t.Errorf("%+v and %d lookups, %v", plan[:min(2, len(plan))], accounts.asked, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := PlanFor(ctx, w, accounts, "c", people, false); !errors.Is(err, context.Canceled) {
		t.Errorf("a plan that was cancelled: %v", err)
	}
	if err := Enrol(ctx, w, accounts, "c", plan, "tea", false); !errors.Is(err, context.Canceled) || len(w.People("c")) > 0 {
		t.Errorf("an import that was cancelled: %v, %d people", err, len(w.People("c")))
	}
}

func TestErase(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.enrol(t, "c", "name,login\nAnn,ann\nBob,bob\n")
	w.enrol(t, "other", "name,login\nBob,bob\n")
	for _, login := range []string{"ann", "bob"} {
		if err := w.tokens.SetPassword(t.Context(), login, "long enough"); err != nil {
			t.Fatal(err)
		}
		if n, err := Erase(t.Context(), w, w.tokens, "c", login, "tea"); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", login, n, err)
		}
		if _, err := Erase(t.Context(), w, w.tokens, "c", login, "tea"); !errors.Is(err, service.ErrUnknown) {
			t.Errorf("%s again: %v", login, err)
		}
	}
	// A namesake gets another login, and a teacher who insists hears of it.
	plan, err := PlanFor(t.Context(), w, w.tokens, "c", []ledger.Person{{Name: "Ann"}, {Name: "Bob", Login: "bob"}}, false)
	if err != nil || plan[0].Login != "ann2" || plan[0].Note != "" || !strings.Contains(plan[1].Note, "was erased from this course before") {
		t.Errorf("new members: %+v, %v", plan, err)
	}
	if w.tokens.HasPassword(t.Context(), "ann") || !w.tokens.HasPassword(t.Context(), "bob") || len(w.People("c")) != 0 {
		t.Errorf("ann has an account, or bob of another course has none, or one of them is a member: %v", w.People("c"))
	}
}

// away fails to erase submissions, and then accounts, once each.
type away struct {
	*world
	Accounts
	failed int
}

func (a *away) EraseSubmitter(ctx context.Context, submitter, by string) (int, error) {
	if a.failed++; a.failed == 1 {
		return 0, errors.New("away")
	}
	return a.world.EraseSubmitter(ctx, submitter, by)
}

func (a *away) EraseAccount(ctx context.Context, login string) error {
	if a.failed++; a.failed == 3 {
		return errors.New("away")
	}
	return a.Accounts.EraseAccount(ctx, login)
}

// TestEraseAgain checks that a member is gone as soon as the erasure begins, and that doing it again completes it.
func TestEraseAgain(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.enrol(t, "c", "name,login\nAnn,ann\n")
	for _, login := range []string{"ann", "stranger"} {
		if err := w.tokens.SetPassword(t.Context(), login, "long enough"); err != nil {
			t.Fatal(err)
		}
	}
	a := &away{world: w, Accounts: w.tokens}
	for try := range 2 {
		if _, err := Erase(t.Context(), a, a, "c", "ann", "tea"); err == nil || errors.Is(err, service.ErrUnknown) || len(w.People("c")) > 0 {
			t.Errorf("try %d: %v, %v", try, err, w.People("c"))
		}
	}
	if _, err := Erase(t.Context(), a, a, "c", "ann", "tea"); !errors.Is(err, service.ErrErased) || w.tokens.HasPassword(t.Context(), "ann") {
		t.Errorf("the last try: %v", err)
	}
	if _, err := Erase(t.Context(), w, w.tokens, "c", "stranger", "tea"); !errors.Is(err, service.ErrUnknown) || !w.tokens.HasPassword(t.Context(), "stranger") {
		t.Errorf("somebody who was no member lost the account: %v", err)
	}
}

// TestMany imports 10,000 people, twice.
func TestMany(t *testing.T) {
	t.Parallel()
	w := start(t)
	var b strings.Builder
	b.WriteString("name,group\n")
	for n := range 10_000 {
		fmt.Fprintf(&b, "Ann %c%c%c%d Lee,g%d\n", 'a'+n%26, 'a'+n/26%26, 'a'+n/676, n, n%7)
	}
	for _, want := range []string{"new", "same"} {
		for _, line := range w.enrol(t, "c", b.String()) {
			if !strings.HasPrefix(line, want+" ann.") || !strings.HasSuffix(line, " invited") {
				t.Fatalf("%s, want %s", line, want)
			}
		}
	}
	if n := len(w.People("c")); n != 10_000 {
		t.Errorf("%d members", n)
	}
}

// TestCostly bounds what lists cost that are full of faults.
func TestCostly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, list string
		want      int // faults
	}{
		{"a fault in each line", "accounts\t1\n" + strings.Repeat("a\n", 2000), 1000},
		{"many entries in YAML", strings.Repeat("- a\n", 400_002), 1},
		{"many entries in JSON", "[" + strings.Repeat("{},", 400_002) + "{}]", 1},
	} {
		_, err := Parse(File{"list", []byte(tt.list)})
		faults, _ := errors.AsType[Faults](err)
		if len(faults) != tt.want || len(err.Error()) > 1<<20 {
			t.Errorf("%s: %d faults, %.200v", tt.why, len(faults), err)
		}
	}
}
