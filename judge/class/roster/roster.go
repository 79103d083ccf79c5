// Package roster gives a row to everybody in a list of a class, whatever they handed in.
package roster

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tribunal/judge/class/sheet"
	"tribunal/judge/class/table"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/yamlstrict"
)

// A Roster is the list of a class, as a table that a learning platform or a spreadsheet has written.
type Roster struct {
	*table.Table
	Students []Student       // in the order of the table
	known    map[string]int  // by key: the student whose row has it; -1 if several have
	groups   map[string]bool // keys of groups
	possible []string        // Canvas' row with the points of assignments; nil if there is none
}

// A Student is a row of a roster.
type Student struct {
	Name   string // differs from that of any other
	Values []string
	group  int // the students of a group have the same number
}

// The names of columns, in languages whose spreadsheets and platforms write them.
var (
	nameColumns  = []string{"student", "name", "full name", "fullname", "student name", "vollständiger name", "nom complet", "nombre completo"}
	firstColumns = []string{"first name", "firstname", "first_name", "given name", "vorname", "prénom", "nombre"}
	lastColumns  = []string{"last name", "lastname", "last_name", "surname", "family name", "nachname", "nom", "apellido(s)", "apellidos"}
	groupColumns = []string{"group", "groups", "team", "gruppe", "gruppen", "groupe", "equipo", "équipe"}
	posting      = regexp.MustCompile(`(?i)^(muted|manual posting.*)$`) // in a row of Canvas that is no student
	partners     = regexp.MustCompile(`(?i)^partners?[ _]*\d*$`)
)

// identifying are words in the headers of columns that identify students.
var identifying = []string{
	"name", "student", "surname", "vorname", "nachname", "nom", "prénom", "nombre", "apellidos", "id", "number", "nummer", "matrikel", "matrikelnummer", "numéro", "número",
	"identifier", "participant", "kennung", "sis", "login", "user", "username", "github", "account", "mail", "email", "courriel", "correo",
}

// identifies reports whether the fields of a column identify students.
func identifies(header string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return slices.Contains(identifying, word)
	})
}

const columnHint = "a column is called student, name or full name, or two are called first name and last name"

// Read reads a roster. Its columns with names are found by their headers, a column group or team has the name of a
// group, and columns partner, partner 2 and so on name other students of it. Rows of Canvas about assignments are no
// students. An error of the user is a [*yamlstrict.Error].
func Read(file string) (*Roster, error) {
	t, err := table.Read(file, columnHint)
	if err != nil {
		return nil, err
	}
	name, first, last := t.Column(nameColumns...), t.Column(firstColumns...), t.Column(lastColumns...)
	if name >= 0 && first >= 0 && last < 0 && strings.EqualFold(t.Header[name], "name") { // as beside Vorname
		name, last = -1, name
	}
	if name < 0 && (first < 0 || last < 0) {
		return nil, t.Error(-1, "no column with names", columnHint)
	}
	r := &Roster{Table: t, known: map[string]int{}, groups: map[string]bool{}}
	seen := map[string]int{}
	for i, row := range t.Rows {
		s := Student{Values: row, group: i}
		if name >= 0 {
			s.Name = clean(row[name])
		} else {
			s.Name = clean(row[first] + " " + row[last])
		}
		switch {
		case strings.HasPrefix(s.Name, "Points Possible"):
			r.possible = row
			continue
		case !slices.ContainsFunc(row, func(f string) bool { return clean(f) != "" && !posting.MatchString(clean(f)) }):
			continue
		case s.Name == "":
			if at := slices.IndexFunc(t.Header, func(h string) bool { return identifies(h) && clean(row[slices.Index(t.Header, h)]) != "" }); at >= 0 {
				s.Name = clean(row[at]) // as in GitHub Classroom, where many have set no name
				break
			}
			return nil, t.Error(i, "no name", "every row names a student")
		}
		k := len(r.Students)
		if s.Name = r.distinct(s.Name, row, seen); s.Name == "" {
			return nil, t.Error(i, "the row is there twice", "leave out one of them")
		}
		seen[key(s.Name)] = k
		s.group = k
		r.Students = append(r.Students, s)
		r.learn(k)
		if first >= 0 && last >= 0 {
			for _, form := range []string{row[first] + " " + row[last], row[last] + " " + row[first], row[last] + ", " + row[first], row[last] + row[first]} {
				r.know(form, k)
			}
		}
	}
	if len(r.Students) == 0 {
		return nil, &yamlstrict.Error{File: file, Msg: "the roster has no students", Hint: "each row below the header is a student"}
	}
	return r, r.join()
}

// know makes a value a key of a student, unless another has it, too.
func (r *Roster) know(value string, student int) {
	k := key(value)
	if k == "" {
		return
	}
	if other, is := r.known[k]; is && other != student {
		student = -1
	}
	r.known[k] = student
}

// join makes groups of the students whom the columns for groups and partners put together.
func (r *Roster) join() error {
	group := r.Column(groupColumns...)
	first := map[string]int{}
	for i := range r.Students {
		s := &r.Students[i]
		if group >= 0 && clean(s.Values[group]) != "" {
			name := key(s.Values[group])
			if other, is := first[name]; is {
				r.unite(other, i)
			} else {
				first[name] = i
			}
			if _, own := r.known[name]; !own || r.groups[name] { // the name or number of a student comes before that of a group
				r.known[name], r.groups[name] = first[name], true
			}
		}
		for column, header := range r.Header {
			if partner := s.Values[column]; partners.MatchString(header) && clean(partner) != "" {
				other := r.find(partner)
				if other < 0 {
					return r.Error(slices.IndexFunc(r.Rows, func(row []string) bool { return &row[0] == &s.Values[0] }), fmt.Sprintf("the partner %q is not in the roster, or there several times", partner), "name a partner as in another row, or by a number or address of that row")
				}
				r.unite(i, other)
			}
		}
	}
	return nil
}

// unite makes one group of those of two students.
func (r *Roster) unite(a, b int) {
	from, to := r.Students[b].group, r.Students[a].group
	for i := range r.Students {
		if r.Students[i].group == from {
			r.Students[i].group = to
		}
	}
}

// clean normalises a name.
func clean(name string) string { return strings.Join(strings.Fields(norm.NFC.String(name)), " ") }

// key returns what names have in common that differ only in capitals, blanks or the form of their letters.
func key(name string) string { return strings.ToLower(clean(norm.NFKC.String(name))) }

// distinct returns a name that no other row has, made of that of a row and, if another has it, of a value in which they
// differ, or else a number. It returns "" if an equal row has been seen.
func (r *Roster) distinct(name string, row []string, seen map[string]int) string {
	unique := name
	for n := 2; ; n++ {
		other, twice := seen[key(unique)]
		if !twice {
			return unique
		}
		values := r.Students[other].Values
		if slices.Equal(row, values) {
			return ""
		}
		unique = fmt.Sprintf("%s (%d)", name, n)
		for i, value := range row {
			if n == 2 && clean(value) != "" && clean(value) != clean(values[i]) {
				unique = name + " (" + clean(value) + ")"
				break
			}
		}
	}
}

// learn makes the fields that identify a student keys.
func (r *Roster) learn(student int) {
	group := r.Column(groupColumns...)
	for column, value := range r.Students[student].Values {
		if column == group || !identifies(r.Header[column]) {
			continue
		}
		r.know(value, student)
		if mailbox, _, is := strings.Cut(value, "@"); is {
			r.know(mailbox, student)
		}
	}
	if a, b, is := strings.Cut(r.Students[student].Name, ","); is { // Canvas has "Müller, Anna", and files named muelleranna
		r.know(b+" "+a, student)
		r.know(a+strings.TrimSpace(b), student)
	}
}

// trailing matches what platforms write behind a name in that of a file or folder: a number of the student.
var trailing = regexp.MustCompile(`^(.+?)[ _-]+(\d{2,})(?:\D.*)?$`)

// find returns the student with a key, or a negative number: several if several have it.
func (r *Roster) find(name string) int {
	if at, is := r.known[key(name)]; is {
		return at
	}
	if parts := trailing.FindStringSubmatch(name); parts != nil {
		by, is := r.known[key(parts[2])]
		if is && by >= 0 && r.alike(by, parts[1]) {
			return by
		}
		if at, is := r.known[key(parts[1])]; is && at >= 0 {
			return at
		}
	}
	return nobody
}

// alike reports whether a name has a word of a student's, as leeann has of Ann Lee, so that a number beside it, which may
// be that of another platform, is the student's.
func (r *Roster) alike(student int, name string) bool {
	words := strings.FieldsFunc(key(r.Students[student].Name), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(word string) bool { return len(word) > 2 && strings.Contains(key(name), word) })
}

// What find returns if there is not one student.
const several, nobody = -1, -2

// Apply gives each student of the roster a row of s, with what was handed in under their name, number, address or
// group. In a group, those who have handed in nothing for a problem have what one of the others has; if several have,
// it is unclear. Who is in no row of the roster has one below, and a note. s is changed.
func (r *Roster) Apply(s *sheet.Sheet) {
	type place struct {
		student int
		problem string
	}
	own, shared := map[place][]sheet.Entry{}, map[place][]sheet.Entry{}
	var strangers []string
	at := map[string]int{}
	for _, name := range s.Students {
		at[name] = r.find(name)
		if id := s.IDs[name]; id != "" && at[name] < 0 {
			if by := r.find(id); by >= 0 && (r.ofCanvas() || r.alike(by, name)) {
				at[name] = by
			} else if by := r.find("Participant " + id); by >= 0 { // as Moodle's grading worksheet has it
				at[name] = by
			}
		}
		if at[name] < 0 {
			strangers = append(strangers, name)
			if at[name] == several {
				s.Notes = append(s.Notes, fmt.Sprintf("%q may be several students of the roster (hint: add their number to the name of the folder)", name))
			} else {
				s.Notes = append(s.Notes, fmt.Sprintf("%q is not in the roster", name))
			}
		}
	}
	var entries []sheet.Entry
	var problems []string
	used := map[string]bool{} // by path
	for _, e := range s.Entries {
		if !slices.Contains(problems, e.Problem) {
			problems = append(problems, e.Problem)
		}
		student := at[e.Student]
		if student < 0 {
			e.Student = r.stranger(e.Student)
			entries = append(entries, e)
			continue
		}
		if !r.groups[key(e.Student)] {
			own[place{student, e.Problem}] = append(own[place{student, e.Problem}], e)
		}
		all := place{r.Students[student].group, e.Problem}
		shared[all] = append(shared[all], e)
	}
	s.Students = nil
	for i, one := range r.Students {
		s.Students = append(s.Students, one.Name)
		for _, p := range problems {
			list := own[place{i, p}]
			if len(list) == 0 {
				list = shared[place{one.group, p}]
			}
			list = slices.CompactFunc(slices.Clone(list), func(a, b sheet.Entry) bool { return a.Path == b.Path })
			if len(list) == 0 {
				continue
			}
			for _, one := range list {
				used[one.Path] = true
			}
			e := list[0]
			e.Student = one.Name
			if len(list) > 1 {
				var paths []string
				for _, other := range list {
					paths = append(paths, other.Shown)
				}
				const most = 5
				if len(paths) > most {
					paths = append(paths[:most], fmt.Sprintf("%d more", len(list)-most))
				}
				e.Wrong = "handed in several times, perhaps by others of the group: " + strings.Join(paths, " and ")
			}
			entries = append(entries, e)
		}
	}
	for _, list := range shared {
		for _, e := range list {
			if !used[e.Path] {
				s.Notes = append(s.Notes, e.Shown+": not judged, because each of the group has handed in something else")
			}
		}
	}
	slices.Sort(s.Notes)
	for _, name := range strangers {
		s.Students = append(s.Students, r.stranger(name))
	}
	slices.Sort(s.Students)
	s.Entries = entries
}

// stranger returns the name in the sheet of a student who is not one of the roster's, though perhaps called like one.
func (r *Roster) stranger(name string) string {
	if slices.ContainsFunc(r.Students, func(s Student) bool { return s.Name == name }) {
		return name + " (which?)"
	}
	return name
}

// Carry gives the students of a sheet the fields that their rows in the roster have.
func (r *Roster) Carry(s *account.Sheet) {
	s.Columns = r.Header
	rows := map[string][]string{}
	for _, one := range r.Students {
		rows[one.Name] = one.Values
	}
	for i := range s.Students {
		if values := rows[s.Students[i].Name]; values != nil {
			s.Students[i].Columns = values
		}
	}
}
