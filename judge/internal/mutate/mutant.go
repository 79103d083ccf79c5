// Package mutate measures how many wrong variants of a reference the cases kill.
//
// A mutant is the reference with one small mistake. Cases that accept it would accept
// a contestant who made that mistake; so the share of mutants that some case kills is a
// measure of how strong the cases are (DeMillo, Lipton and Sayward, Hints on Test Data
// Selection, 1978). All mutants of a program are built at once: the mutated program, a
// schema, holds every variant and an environment variable chooses one (Untch, Offutt
// and Harrold, Mutation Analysis Using Mutant Schemata, 1993).
package mutate

// Variable is the environment variable that chooses what a schema does: without it, or
// with 0, the program as it was; with the ID of a mutant that mutant; with [Sites] the
// program as it was, telling at its end what it passed.
const Variable = "TRIBUNAL_MUTANT"

// Sites is the value of Variable with which a schema writes, when it ends by itself, a
// last line to standard error: SitesMark and, in hexadecimal, a bit for each site that
// was passed, the lowest bit of the first byte for site 0.
const (
	Sites     = "sites"
	SitesMark = "tribunal-sites "
)

// Mutant is one wrong variant of a program.
type Mutant struct {
	ID     int    `json:"id"`       // from 1, in source order; what Variable is set to
	Site   int    `json:"-"`        // from 0; a run that does not pass the site cannot tell the mutant
	File   string `json:"file"`     // slash path below the repository's root, as in reference/game/main.go
	Line   int    `json:"line"`     // from 1
	Column int    `json:"column"`   // from 1, in bytes
	Func   string `json:"function"` // the function it is in, as in solve or field.roll; "" for a declaration outside
	Op     string `json:"operator"` // the kind of mistake: one of the names that Operators lists
	Before string `json:"before"`   // the source that is changed, as it stands but in one line
	After  string `json:"after"`    // what stands there instead
}
