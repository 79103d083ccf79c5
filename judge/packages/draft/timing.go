package draft

import (
	"strings"
	"time"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// ReadTiming reads domjudge-problem.ini, for the name and the time limit, and .timelimit.
// problem.yaml takes precedence over both.
func (p *Draft) ReadTiming() error {
	if err := p.readINI(); err != nil {
		return err
	}
	const file = problem.TimeLimitFile
	data, err := p.Tree.Read(file, tree.MaxDocument)
	if data == nil || err != nil {
		return err
	}
	return p.OfferTime(file, 1, string(data))
}

// OfferTime sets the time limit to text, in seconds, unless a file that takes precedence has set it
// already. If the two limits differ, it adds a note.
func (p *Draft) OfferTime(rel string, line int, text string) error {
	d, err := yamlloose.Seconds(text)
	switch {
	case err != nil:
		return p.Tree.Errorf(rel, line, "", "the time limit: %v", err)
	case p.Time.Limit == 0:
		p.Time.Limit, p.Time.From = d, rel
	case p.Time.Limit != d:
		p.Note(rel, line, "time limit %v is ignored: %s sets %v", d, p.Time.From, p.Time.Limit)
	}
	return nil
}

const IniFile = "domjudge-problem.ini"

// readINI reads DOMjudge's domjudge-problem.ini. problem.yaml takes precedence over it.
func (p *Draft) readINI() error {
	data, err := p.Tree.Read(IniFile, tree.MaxDocument)
	if data == nil || err != nil {
		return err
	}
	if data, err = p.Tree.Text(IniFile, data); err != nil {
		return err
	}
	type setting struct {
		line       int
		key, value string // key is "" if the line is not a setting
	}
	var settings []setting
	last := map[string]int{} // by key, the index of the setting that counts
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' || line[0] == '#' || line[0] == '[' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			key, value = "", line
		}
		last[key] = len(settings)
		settings = append(settings, setting{i + 1, key, strings.TrimSpace(value)})
	}
	for i, s := range settings {
		if s.key == "" {
			p.Note(IniFile, s.line, "not of the form key = value: %s", quote.Name(s.value))
		} else if n := last[s.key]; n != i {
			p.Note(IniFile, s.line, yamlloose.Repeated, quote.Name(s.key), settings[n].line)
		} else if err := p.iniKey(s.line, s.key, unquote(s.value)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Draft) iniKey(line int, key, value string) error {
	switch key {
	case "name":
		if p.Title == "" {
			p.Title, p.Names["en"] = value, value
		}
	case "timelimit":
		return p.OfferTime(IniFile, line, value)
	case "special_run", "special_compare":
		if value != "" {
			p.Note(IniFile, line, "%s names a program that is not in the package: not supported", key)
		}
	case "probid", "cid", "short-name", "externalid", "points", "color", "allow_submit", "allow_judge":
		// about contests, not about judging
	default:
		p.Note(IniFile, line, "unknown key %s", quote.Name(key))
	}
	return nil
}

// unquote removes the quotes around a value and the comment after it.
func unquote(value string) string {
	for _, q := range []string{`"`, `'`} {
		if rest, ok := strings.CutPrefix(value, q); ok {
			if text, after, ok := strings.Cut(rest, q); ok && (strings.TrimSpace(after) == "" || strings.TrimSpace(after)[0] == ';') {
				return text
			}
		}
	}
	value, _, _ = strings.Cut(value, ";")
	return strings.TrimSpace(value)
}

// AddException adds an exception to the limits, unless it sets none.
func (p *Draft) AddException(e problem.Exception) {
	if e.CPU > 0 || e.Memory > 0 {
		p.Exceptions = append(p.Exceptions, e)
	}
}

// Milliseconds returns a time of at most [longest].
func Milliseconds(ms float64) time.Duration {
	return time.Duration(min(ms, float64(yamlloose.Longest.Milliseconds())) * float64(time.Millisecond))
}
