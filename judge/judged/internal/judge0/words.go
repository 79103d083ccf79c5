package judge0

import (
	"errors"
	"strings"
)

// errMeaning refuses what a shell would take for more than a word.
var errMeaning = errors.New("a new line, a parenthesis or # means something else to a shell (hint: put it in quotes)")

// words splits a line as the shell of Judge0 does, which first drops the characters $&;<>|`. Patterns of files stay as
// they are, as if none matched.
func words(line string) (list []string, err error) {
	line = strings.Map(func(r rune) rune {
		if strings.ContainsRune("$&;<>|`", r) {
			return -1
		}
		return r
	}, strings.Trim(line, " \t\n\v\f\r\x00"))
	var word strings.Builder
	begun, quote, escaped := false, rune(0), false
	for _, r := range line {
		switch {
		case escaped && r == '\n':
			escaped = false
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			begun, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			begun, quote = true, r
		case quote == 0 && (r == '\n' || r == '(' || r == ')' || r == '#' && !begun):
			return nil, errMeaning
		case quote == 0 && (r == ' ' || r == '\t'):
			if begun {
				list = append(list, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("it ends within quotes or after a backslash")
	}
	if begun {
		list = append(list, word.String())
	}
	return list, nil
}

// words splits an attribute, if there is one and it has at most so many bytes: the words of a longer one would take
// more memory and time than the request is worth.
func (e Errors) words(attribute string, line *string, most int) []string {
	if line == nil {
		return nil
	}
	if len(*line) > most {
		e.add(attribute, "is too long (maximum is %d characters)", most)
		return nil
	}
	list, err := words(*line)
	if err != nil {
		e.add(attribute, "%v", err)
	}
	return list
}

// joined returns a line that [words] splits into the same words, except for characters that it drops.
func joined(list []string) string {
	quoted := make([]string, len(list))
	for i, word := range list {
		if quoted[i] = word; word == "" || strings.ContainsAny(word, " \t\n\v\f\r\x00\\'\"()#") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
