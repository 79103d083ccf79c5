package pkgformat

import (
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/pairs"
	"tribunal/judge/packages/tree"
)

// What the other houses need of the rooms behind this door.
type (
	Draft    = draft.Draft
	Family   = draft.Family
	Maker    = draft.Maker
	Step     = draft.Step
	MadeFile = tree.MadeFile
	Dialect  = kattis.Dialect
)

// Package is an open package.
type Package struct{ draft *draft.Draft }

// Problem returns the problem to judge, which is valid until the package is closed. It fails with a
// [*yamlstrict.Error] if the package needs a feature that tribunal does not support.
func (p *Package) Problem() (*problem.Problem, error) { return p.draft.Problem() }

// Draft returns all that is known of the package, for an import.
func (p *Package) Draft() *draft.Draft { return p.draft }

// Close closes the files of the package. It may be called more than once.
func (p *Package) Close() error { return p.draft.Close() }

// Formats that commands treat in a way of their own.
const (
	Pairs  = pairs.Name
	Legacy = kattis.Legacy
	Latest = kattis.Latest
)

// Dialects returns all dialects.
func Dialects() []Dialect { return kattis.Dialects() }
