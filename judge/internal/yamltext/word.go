package yamltext

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// plainScalar matches texts that need no quotes in YAML, not even within brackets.
var plainScalar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9 ./_-]*[A-Za-z0-9.])?$`) })

// Word formats a text of one line as a YAML scalar. The quotes of Go are valid in YAML.
func Word(text string) string {
	if plainScalar().MatchString(text) && !strings.EqualFold(text, "null") {
		return text
	}
	return strconv.Quote(text)
}

// List formats words as a YAML list in brackets.
func List(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
