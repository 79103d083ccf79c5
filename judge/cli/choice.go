package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Choose returns the value of a flag that accepts one of several words, and sets value. kind names it in the help text.
func Choose[T ~string](value *T, words []T, kind string) pflag.Value {
	return choice[T]{value, words, kind}
}

// choice implements [Choose].
type choice[T ~string] struct {
	value *T
	words []T
	kind  string // names the value in the help text
}

// Set accepts one of the words.
func (c choice[T]) Set(word string) error {
	if !slices.Contains(c.words, T(word)) {
		return fmt.Errorf("want %s", List(c.words))
	}
	*c.value = T(word)
	return nil
}

func (c choice[T]) String() string {
	if c.value == nil {
		return ""
	}
	return string(*c.value)
}

// Type names the value for the help text.
func (c choice[T]) Type() string { return c.kind }

// Words returns the words, for completions.
func (c choice[T]) Words() []string {
	var texts []string
	for _, w := range c.words {
		texts = append(texts, string(w))
	}
	return texts
}

// List joins words with commas.
func List[T ~string](words []T) string {
	return strings.Join(choice[T]{words: words}.Words(), ", ")
}
