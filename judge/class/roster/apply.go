package roster

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tribunal/judge/class/sheet"
	"tribunal/judge/internal/account"
)

// trailing matches what platforms write behind a name in that of a file or folder: a number of the student.
var trailing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?)[ _-]+(\d{2,})(?:\D.*)?$`) })

// find returns the student with a key, or a negative number: several if several have it.
func (r *Roster) find(name string) int {
	if at, is := r.known[key(name)]; is {
		return at
	}
	if parts := trailing().FindStringSubmatch(name); parts != nil {
		by, is := r.known[key(parts[2])]
		if is && by >= 0 && r.alike(by, parts[1]) {
			return by
		}
		if at, is := r.known[key(parts[1])]; is {
			return at
		}
	}
	return nobody
}

// alike reports whether a name has a word of a student's, as leeann has of Ann Lee, or is the beginning of it, so that a
// number beside it, which may be that of another platform, is the student's.
func (r *Roster) alike(student int, name string) bool {
	words := strings.FieldsFunc(key(r.Students[student].Name), func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.HasPrefix(key(r.Students[student].Name), key(name)) ||
		slices.ContainsFunc(words, func(word string) bool { return len(word) > 2 && strings.Contains(key(name), word) })
}

// What find and who return if there is not one student.
const several, nobody, namesake = -1, -2, -3

// number returns the key of a student's field in a column, of Moodle's Participant 77 that of 77.
func (r *Roster) number(student, column int) string {
	value := r.Students[student].Values[column]
	if m := participant().FindStringSubmatch(value); m != nil && r.known[key("Participant "+m[1])] == student {
		value = m[1]
	}
	return key(value)
}

// numbers returns the column with the ids that the platform has given the students of s, which differ where names are
// the same; -1 if there is none, because the ids are those of another platform.
func (r *Roster) numbers(s *sheet.Sheet) (column int) {
	agree, named := map[int]int{}, 0
	for name, id := range s.IDs {
		by := r.find(name)
		if by < 0 || id == "" || r.groups[key(name)] != nil {
			continue
		}
		named++
		for column, header := range r.Header {
			if identifies(header) && r.number(by, column) == key(id) {
				agree[column]++
			}
		}
	}
	column = -1
	for c := range r.Header {
		if agree[c] > 0 && 2*agree[c] >= named && (column < 0 || agree[c] > agree[column]) {
			column = c
		}
	}
	return column
}

// who returns the index of each student of s, or a negative number and a note.
func (r *Roster) who(s *sheet.Sheet) map[string]int {
	at, byNumber := map[string]int{}, map[string]int{}
	column := r.numbers(s)
	for i := range r.Students {
		if column < 0 {
			break
		}
		n := r.number(i, column)
		if _, twice := byNumber[n]; twice {
			i = several
		}
		byNumber[n] = i
	}
	for _, name := range s.Students {
		at[name] = r.find(name)
		id := key(s.IDs[name])
		by, is := byNumber[id]
		switch {
		case id == "" || r.groups[key(name)] != nil:
		case is:
			at[name] = by
		case at[name] >= 0 && column >= 0 && r.number(at[name], column) != "":
			s.Notes = append(s.Notes, fmt.Sprintf("%q is called like a student of the roster, but has the number %s, which is not in the column %s", name, s.IDs[name], r.Header[column]))
			at[name] = namesake
		case at[name] < 0:
			if by := r.find(id); by >= 0 && (r.ofCanvas() || r.alike(by, name)) {
				at[name] = by
			} else if by := r.find("Participant " + id); by >= 0 { // as Moodle's grading worksheet has it
				at[name] = by
			}
		}
		switch at[name] {
		case several:
			s.Notes = append(s.Notes, fmt.Sprintf("%q may be several students of the roster (hint: add their number to the name of the folder)", name))
		case nobody:
			s.Notes = append(s.Notes, fmt.Sprintf("%q is not in the roster", name))
		}
	}
	return at
}

// Apply gives each student of the roster a row of s, with what was handed in under their name, number, address or
// group, and was late if a column of the roster says so. In a group, those who have handed in nothing for a problem
// share what one of the others has, which a note says; if several have, it is unclear. Who is in no row of the roster
// has one below, and a note. s is changed.
func (r *Roster) Apply(s *sheet.Sheet, problems []account.SheetProblem) {
	type place struct {
		student int
		problem string
	}
	own, shared := map[place][]sheet.Entry{}, map[place][]sheet.Entry{}
	at, late := r.who(s), r.lateness(problems)
	if late != nil {
		s.Lateness = true
		s.Notes = append(s.Notes, fmt.Sprintf("%s: the column %q says what was late", r.File, late.names()))
	}
	var entries []sheet.Entry
	used := map[string]bool{} // by path
	for _, e := range s.Entries {
		student := at[e.Student]
		if student < 0 {
			e.Student = r.stranger(e.Student)
			entries = append(entries, e)
			continue
		}
		team := []int{student}
		if members := r.groups[key(e.Student)]; members != nil {
			team = members
		} else {
			e.Late = e.Late || late.says(r.Students[student].Values, e.Problem)
			e.Shared = r.Students[student].Name
			own[place{student, e.Problem}] = append(own[place{student, e.Problem}], e)
		}
		for _, i := range team {
			all := place{r.Students[i].group, e.Problem}
			if !slices.ContainsFunc(shared[all], func(o sheet.Entry) bool { return o.Path == e.Path }) {
				shared[all] = append(shared[all], e)
			}
		}
	}
	for _, p := range problems {
		var shares []string
		for i, one := range r.Students {
			list := own[place{i, p.ID}]
			if len(list) == 0 {
				list = shared[place{one.group, p.ID}]
			}
			list = slices.CompactFunc(slices.Clone(list), func(a, b sheet.Entry) bool { return a.Path == b.Path })
			if len(list) == 0 {
				continue
			}
			for _, one := range list {
				used[one.Path] = true
			}
			e := list[0]
			e.Student, e.Late = one.Name, e.Late || late.says(one.Values, p.ID)
			if e.Shared == one.Name {
				e.Shared = ""
			}
			if len(list) > 1 {
				var paths []string
				for _, other := range list {
					paths = append(paths, other.Shown)
				}
				e.Shared, e.Wrong = "", "handed in several times, perhaps by others of the group: "+some(paths, " and ")
			} else if e.Shared != "" {
				shares = append(shares, fmt.Sprintf("%s has what %s handed in", one.Name, e.Shared))
			}
			entries = append(entries, e)
		}
		if len(shares) > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%s: shared in groups: %s", p.ID, some(shares, ", ")))
		}
	}
	for _, list := range shared {
		for _, e := range list {
			if !used[e.Path] {
				s.Notes = append(s.Notes, e.Shown+": not judged, because each of the group has handed in something else")
			}
		}
	}
	if most := r.largest(); most > maxTeam {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: groups of up to %d students share only what bears the name of the group (hint: a column partner joins those who worked together)", r.File, most))
	}
	slices.Sort(s.Notes)
	var names []string
	for _, one := range r.Students {
		names = append(names, one.Name)
	}
	for _, name := range s.Students {
		if at[name] < 0 {
			names = append(names, r.stranger(name))
		}
	}
	slices.Sort(names)
	s.Students, s.Entries = names, entries
}

// some joins texts, and counts those after the fifth.
func some(texts []string, by string) string {
	const most = 5
	if len(texts) > most {
		texts = append(slices.Clone(texts[:most]), fmt.Sprintf("%d more", len(texts)-most))
	}
	return strings.Join(texts, by)
}

// largest returns the size of the largest group that a column names.
func (r *Roster) largest() (most int) {
	for _, members := range r.groups {
		most = max(most, len(members))
	}
	return most
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
