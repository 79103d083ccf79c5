// Package mutate measures how many wrong variants of a reference the cases kill.
//
// A mutant is the reference with one small mistake. Cases that accept it would accept a contestant
// who made that mistake, so the share of mutants that some case kills measures how strong the cases
// are (DeMillo, Lipton and Sayward, Hints on Test Data Selection, 1978). All mutants of a program
// are built at once: the mutated program, a schema, holds every variant, and an environment
// variable chooses one (Untch, Offutt and Harrold, Mutation Analysis Using Mutant Schemata, 1993).
//
// That needs types, which the judge knows of Go only. Mutants of sources in C, C++ and Python are made
// from their tokens, and are programs of their own (separate.go, tokens*.go).
//
// [Derive] turns a program into its schema: it finds the sites that have mutants (operators_*.go)
// and writes them into the source (schema_text.go). [Measure] runs the schema on the cases.
package mutate

// Variable is the environment variable that chooses what a schema runs as. Unset or 0 means the
// unchanged program; the ID of a mutant means that mutant; [Sites] means the unchanged program,
// which then also reports the sites that it reached.
const Variable = "TRIBUNAL_MUTANT"

// With Variable set to Sites, a schema that ends by itself writes a last line to standard error:
// SitesMark and, in hexadecimal, a bit for each site, set if the site was reached. Site 0 is the
// lowest bit of the first byte.
const (
	Sites     = "sites"
	SitesMark = "tribunal-sites "
)

// Mutant is one wrong variant of a program.
type Mutant struct {
	ID     int    `json:"id"`       // from 1, in source order; the value of Variable that chooses the mutant
	Site   int    `json:"-"`        // from 0; a run that does not reach the site behaves like the reference
	File   string `json:"file"`     // slash path below the root of the repository, as in reference/game/main.go
	Line   int    `json:"line"`     // from 1
	Column int    `json:"column"`   // from 1, in bytes
	Func   string `json:"function"` // the function that contains it, as in solve or field.roll; "" outside of functions
	Op     string `json:"operator"` // the kind of mistake: the name of an Operator
	Before string `json:"before"`   // the source that is changed, joined into one line
	After  string `json:"after"`    // what replaces it
}
