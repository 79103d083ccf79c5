package main

import (
	"fmt"
	"slices"
	"strings"
)

// choice is the value of a flag that accepts one of several words.
type choice[T ~string] struct {
	value *T
	words []T
	kind  string // names the value in the help text
}

// Set accepts one of the words.
func (c choice[T]) Set(word string) error {
	if !slices.Contains(c.words, T(word)) {
		return fmt.Errorf("want %s", list(c.words))
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

// list returns the words, for completions.
func (c choice[T]) list() []string {
	var texts []string
	for _, w := range c.words {
		texts = append(texts, string(w))
	}
	return texts
}

// list joins words with commas.
func list[T ~string](words []T) string {
	return strings.Join(choice[T]{words: words}.list(), ", ")
}
