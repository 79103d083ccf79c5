package statement

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The nodes of tables in goldmark's tree.
type (
	table     struct{ ast.BaseBlock }
	tableRow  struct{ ast.BaseBlock }
	tableCell struct {
		ast.BaseBlock
		head  bool
		style string
	}
)

func (*table) Kind() ast.NodeKind                  { return kinds().table }
func (n *table) Dump(source []byte, level int)     { ast.DumpHelper(n, source, level, nil, nil) }
func (*tableRow) Kind() ast.NodeKind               { return kinds().row }
func (n *tableRow) Dump(source []byte, level int)  { ast.DumpHelper(n, source, level, nil, nil) }
func (*tableCell) Kind() ast.NodeKind              { return kinds().cell }
func (n *tableCell) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tables turns paragraphs whose second line is like |---|:-:| into tables, as GitHub does.
type tables struct{}

func (*tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, src := p.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		rule, head := lines.At(i), lines.At(i-1)
		styles := columnStyles(string(rule.Value(src)))
		cells := splitCells(head, src)
		if styles == nil || len(styles) != len(cells) {
			continue
		}
		made := &table{}
		addRow := func(line text.Segment, isHead bool) {
			row := &tableRow{}
			for k, cell := range splitCells(line, src) {
				if k == len(styles) {
					break
				}
				c := &tableCell{head: isHead, style: styles[k]}
				c.Lines().Append(cell)
				row.AppendChild(row, c)
			}
			made.AppendChild(made, row)
		}
		addRow(head, true)
		for k := i + 1; k < lines.Len(); k++ {
			addRow(lines.At(k), false)
		}
		p.Parent().InsertAfter(p.Parent(), p, made)
		if i == 1 {
			p.Parent().RemoveChild(p.Parent(), p)
			return
		}
		lines.SetSliced(0, i-1)
		return
	}
}

// columnStyles returns the styles of the columns below a line of rules; nil if it is no such line.
func columnStyles(line string) (styles []string) {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "|") || !strings.Contains(line, "-") || strings.Trim(line, "|-: \t") != "" {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	for cell := range strings.SplitSeq(line, "|") {
		cell = strings.TrimSpace(cell)
		left, right := strings.HasPrefix(cell, ":"), strings.HasSuffix(cell, ":")
		switch {
		case strings.Trim(cell, "-:") != "" || !strings.Contains(cell, "-"):
			return nil
		case left && right:
			styles = append(styles, "text-align:center")
		case right:
			styles = append(styles, "text-align:right")
		default:
			styles = append(styles, "text-align:left")
		}
	}
	return styles
}

// splitCells returns the cells of a row. A | inside a formula or after a backslash is part of its cell.
func splitCells(line text.Segment, src []byte) (cells []text.Segment) {
	value := line.Value(src)
	trimmed := bytes.TrimSpace(value)
	start := line.Start + bytes.Index(value, trimmed)
	if len(trimmed) == 0 {
		return nil
	}
	if trimmed[0] == '|' {
		trimmed, start = trimmed[1:], start+1
	}
	add := func(from, to int) {
		cell := text.NewSegment(start+from, start+to)
		cell = cell.TrimLeftSpace(src)
		cells = append(cells, cell.TrimRightSpace(src))
	}
	from, inFormula := 0, false
	for i := 0; i < len(trimmed); i++ {
		switch trimmed[i] {
		case '\\':
			i++
		case '$':
			inFormula = !inFormula && bytes.IndexByte(trimmed[i+1:], '$') >= 0
		case '|':
			if !inFormula {
				add(from, i)
				from = i + 1
			}
		}
	}
	if from < len(trimmed) {
		add(from, len(trimmed))
	}
	return cells
}
