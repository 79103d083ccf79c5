package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/scaffold"
)

// newOptions holds the flags of judge new.
type newOptions struct {
	*cli.App
	kind    scaffold.Kind
	testlib string // the header, or searched to look for it; "" for none
}

func NewCommand(o *cli.App) *cobra.Command {
	n := &newOptions{App: o}
	cmd := &cobra.Command{
		Use:   "new ID",
		Short: "Create a new problem from a small working example",
		Long: `Create a new problem from a small working example: a statement, cases, a reference
solver, a generator, an input validator, a brute-force solver and example submissions,
in the language that you choose.

With --testlib the generator and the validators are written with testlib, in C++; its
header is taken from the top of the repository or from the compiler's folders, or named
as in --testlib=../testlib.h.

Run 'judge regen ID' next, after which the problem passes 'judge verify ID'. Then
replace the example with your own problem, piece by piece.`,
		Example: "  judge new two-sum\n  judge new two-sum --lang cpp --checker --scoring",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("new needs the id of the problem (hint: judge new two-sum)"))
			}
			return n.run(args[0])
		},
	}
	f := cmd.Flags()
	languageFlag(cmd, &n.kind.Language)
	f.BoolVar(&n.kind.Checker, "checker", false, "several outputs are right, and a checker decides")
	f.BoolVar(&n.kind.Interactive, "interactive", false, "an interactor talks to the submission")
	f.BoolVar(&n.kind.Scoring, "scoring", false, "groups of cases have points")
	f.StringVar(&n.testlib, "testlib", "", "write generator and validators with testlib, whose `header` is at the top of the repository or where this says")
	f.Lookup("testlib").NoOptDefVal = searched
	return cmd
}

// languageFlag adds the flag --lang for the language of the programs of a small problem. Without it
// the language is "".
func languageFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "lang", "", "`language` of the programs: "+strings.Join(scaffold.Languages(), ", ")+" (default: go)")
}

// defaultLanguage is the language of the programs of small problems.
const defaultLanguage = "go"

func (n *newOptions) run(id string) error {
	if err := scaffold.CheckID(id); err != nil {
		return cli.Usage(err)
	}
	root, err := n.FindRoot()
	if err != nil {
		return err
	}
	if n.testlib != "" {
		n.kind.Language = cmp.Or(n.kind.Language, "cpp")
		n.kind.Testlib = []byte{} // read below
	}
	n.kind.Language = cmp.Or(n.kind.Language, defaultLanguage)
	if err := n.kind.Check(); err != nil {
		return cli.Usage(err)
	}
	if n.testlib != "" {
		if n.kind.Testlib, err = readTestlib(root, n.testlib); err != nil {
			return err
		}
	}
	places, err := scaffold.Write(root, id, n.kind)
	if err != nil {
		return err
	}
	for _, p := range places {
		_ = n.Std.Print("%s\n", p)
	}
	return n.Std.Print("next: judge regen %s\n", id)
}

// searched is the value of --testlib without a header.
const searched = "search"

// testlibHeader is the name of testlib's header, in which all of the library is.
const testlibHeader = "testlib.h"

// readTestlib reads the named header of testlib. If none is named, it searches the top of the
// repository and the folders of the compiler.
func readTestlib(root, name string) ([]byte, error) {
	if name != searched {
		text, err := yamlstrict.Read(name)
		if err == nil && !strings.Contains(string(text), "registerGen") {
			err = &yamlstrict.Error{File: name, Msg: "is not the header of testlib", Hint: "it is called testlib.h, and defines registerGen"}
		}
		return text, err
	}
	for _, dir := range []string{root, "/usr/local/include", "/usr/include"} {
		file := filepath.Join(dir, testlibHeader)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return readTestlib(root, file)
		}
	}
	return nil, cli.Usage(fmt.Errorf("no testlib.h in %s or in the compiler's folders (hint: download it from https://github.com/MikeMirzayanov/testlib, or name it: --testlib=FILE)", root))
}
