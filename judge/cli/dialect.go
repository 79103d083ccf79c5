package cli

import (
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/packages/pkgformat"
)

// dialect is the value of --dialect.
type dialect pkgformat.Dialect

// Set accepts the name of a dialect.
func (d *dialect) Set(name string) error {
	if !slices.Contains(pkgformat.Dialects(), pkgformat.Dialect(name)) {
		return fmt.Errorf("the dialects are %s", dialectNames())
	}
	*d = dialect(name)
	return nil
}

func (d *dialect) String() string { return string(*d) }

// Type names the value for the help text.
func (d *dialect) Type() string { return "system" }

// dialectNames lists all dialects.
func dialectNames() string {
	var names []string
	for _, d := range pkgformat.Dialects() {
		names = append(names, string(d))
	}
	return strings.Join(names, ", ")
}
