package statement

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// kinds are the kinds of our nodes in goldmark's tree.
var kinds = sync.OnceValue(func() (k struct{ formula, formulaBlock, table, row, cell ast.NodeKind }) {
	k.formula, k.formulaBlock = ast.NewNodeKind("Formula"), ast.NewNodeKind("FormulaBlock")
	k.table, k.row, k.cell = ast.NewNodeKind("Table"), ast.NewNodeKind("TableRow"), ast.NewNodeKind("TableCell")
	return k
})

// formula is a formula in a line: $x$, $$x$$ or, as Codeforces has it, $$$x$$$.
type formula struct {
	ast.BaseInline
	text    string
	display bool
	start   int // its offset
}

func (*formula) Kind() ast.NodeKind              { return kinds().formula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulas parses formulas in lines, by pandoc's rule: no white space after the first $ and before
// the last, and no digit after the last, so that "$5 and $6" has no formula.
type formulas struct{}

func (*formulas) Trigger() []byte { return []byte{'$'} }

func (*formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	run := len(line) - len(bytes.TrimLeft(line, "$"))
	if run > 3 && run != 6 {
		block.Advance(run)
		return ast.NewTextSegment(segment.WithStop(segment.Start + run))
	}
	savedLine, savedPos := block.Position()
	block.Advance(run)
	var b strings.Builder
	for {
		rest, _ := block.PeekLine()
		if rest == nil {
			break
		}
		end := closingDollars(rest, run)
		if end < 0 {
			b.Write(rest)
			block.AdvanceLine()
			continue
		}
		b.Write(rest[:end])
		content := b.String()
		after := end + run
		if run == 1 && (content == "" || strings.HasPrefix(content, " ") || strings.HasSuffix(content, " ") || after < len(rest) && '0' <= rest[after] && rest[after] <= '9') {
			break
		}
		block.Advance(after)
		return &formula{text: content, display: run%3 == 2 || run == 6, start: segment.Start}
	}
	block.SetPosition(savedLine, savedPos)
	return nil
}

// closingDollars returns the index of the first run of that many dollars, or -1.
func closingDollars(line []byte, run int) int {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '$':
			n := 1
			for i+n < len(line) && line[i+n] == '$' {
				n++
			}
			if n == run || n > run && run > 1 {
				return i
			}
			i += n - 1
		}
	}
	return -1
}

// formulaBlock is a formula that begins a line with $$ and ends one. It may have lines that would
// otherwise be lists or headings.
type formulaBlock struct {
	ast.BaseBlock
	text  string
	start int
	open  bool // the second $$ is missing
}

func (*formulaBlock) Kind() ast.NodeKind              { return kinds().formulaBlock }
func (*formulaBlock) IsRaw() bool                     { return true }
func (n *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type formulaBlocks struct{}

func (*formulaBlocks) Trigger() []byte { return []byte{'$'} }

func (*formulaBlocks) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	trimmed := bytes.TrimSpace(line)
	if !bytes.HasPrefix(trimmed, []byte("$$")) || bytes.HasPrefix(trimmed, []byte("$$$")) || bytes.Contains(trimmed[2:], []byte("$$")) {
		return nil, parser.NoChildren // one line: formulas parses it
	}
	n := &formulaBlock{text: string(trimmed[2:]) + "\n", start: segment.Start, open: true}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (*formulaBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*formulaBlock)
	line, _ := reader.PeekLine()
	if !n.open || util.IsBlank(line) { // a formula has no blank lines
		return parser.Close
	}
	trimmed := bytes.TrimRight(line, " \t\r\n.,;")
	if rest, ends := bytes.CutSuffix(trimmed, []byte("$$")); ends {
		n.text, n.open = n.text+string(rest), false
	} else {
		n.text += string(line)
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (*formulaBlocks) Close(ast.Node, text.Reader, parser.Context) {}
func (*formulaBlocks) CanInterruptParagraph() bool                 { return true }
func (*formulaBlocks) CanAcceptIndentedLine() bool                 { return false }
