package findings

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"

	"tribunal/judge/cli/layout"
	"tribunal/judge/lab/mutate"
)

// ruleDraft is a rule for mutants.yaml that lacks its reason.
type ruleDraft struct {
	in, text     string   // the function and the source line
	ops, changes []string // the distinct operators and changes of the mutants
	mutants      []string // descriptions of the mutants that the rule matches, for comments
}

// MutantsRules writes a draft of a rule for mutants.yaml for each source line with unexplained
// survivors; identical lines of a function share a rule. The user must move each draft under
// equivalent or survive and add a reason. The judge rejects a mutants.yaml without reasons.
func MutantsRules(w io.Writer, r *mutate.Report) error {
	var drafts []*ruleDraft
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Fate != mutate.Survived && m.Fate != mutate.Unreached || m.Rule != nil {
			continue
		}
		in, text := path.Base(m.File), r.Lines.Of(&m.Mutant)
		if m.Func != "" {
			in += ":" + m.Func
		}
		at := slices.IndexFunc(drafts, func(d *ruleDraft) bool { return d.in == in && d.text == text })
		if at < 0 {
			at = len(drafts)
			drafts = append(drafts, &ruleDraft{in: in, text: text})
		}
		drafts[at].add(m)
	}
	p := &layout.Page{}
	for _, d := range drafts {
		d.write(p)
	}
	return p.Write(w)
}

// add adds a mutant to the draft.
func (d *ruleDraft) add(m *mutate.Result) {
	if !slices.Contains(d.ops, m.Op) {
		d.ops = append(d.ops, m.Op)
	}
	if !slices.Contains(d.changes, m.Change()) {
		d.changes = append(d.changes, m.Change())
	}
	text := fmt.Sprintf("%d %s: %s", m.ID, m.Op, m.Change())
	if m.Fate == mutate.Unreached {
		text += "  (not reached)"
	}
	d.mutants = append(d.mutants, text)
}

// write writes the draft, with the operator and the change if all its mutants share them.
func (d *ruleDraft) write(p *layout.Page) {
	for _, m := range d.mutants {
		p.Printf("  # %s\n", layout.Line(m))
	}
	p.Printf("  - in: %s\n    line: %s\n", d.in, strconv.Quote(d.text))
	if len(d.ops) == 1 {
		p.Printf("    op: %s\n", d.ops[0])
	}
	if len(d.changes) == 1 {
		p.Printf("    change: %s\n", strconv.Quote(d.changes[0]))
	}
	p.Printf("    reason:\n")
}
