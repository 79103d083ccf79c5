package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/langcheck"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
)

// LanguagesSchema names the form of the document that [Languages.JSON] writes; see
// docs/languages.md. It changes as [Schema] does.
const LanguagesSchema = "tribunal/languages/1"

// LanguagesEventsSchema names the form of the lines about the same.
const LanguagesEventsSchema = "tribunal/languages-events/1"

// Languages is what is known of languages on this host.
type Languages struct {
	Results    []langcheck.Result
	Mechanisms sandbox.Mechanisms
}

// maxSaid is how many lines of a broken tool's words are shown.
const maxSaid = 10

// Language writes a few lines about a language, for people.
func Language(w io.Writer, r langcheck.Result, o PageOptions) error {
	p := &page{color: o.Color}
	l := dim
	switch r.Status {
	case langcheck.Works:
		l = good
	case langcheck.Broken:
		l = bad
	}
	rows := [][]cell{{{text: word(r.Name), look: strong}, {text: string(r.Status), look: l}, {text: word(tried(r))}}}
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, []cell{{}, {text: name, look: dim}, {text: word(text)}})
		}
	}
	add("version", r.Toolchain.Version)
	if r.Status != langcheck.Missing {
		add("build", command(r.Toolchain.Build))
		add("run", command(r.Toolchain.Run))
	} else {
		add("build", command(r.Language.Build))
		add("run", command(r.Language.Run))
	}
	add("files", files(r.Language))
	add("package", r.Language.Package)
	// As wide as the longest of all names and states, so that languages stand in line.
	rows[0][0].text = fmt.Sprintf("%-10s", rows[0][0].text)
	rows[0][1].text = fmt.Sprintf("%-9s", rows[0][1].text)
	p.table("", rows)
	if r.Words != "" {
		lines, more := head(r.Words, maxSaid)
		p.indented("    ", lines)
		if more {
			p.printf("    …\n")
		}
	}
	return p.write(w)
}

// tried says how the check of a language went.
func tried(r langcheck.Result) string {
	if r.Status != langcheck.Works {
		return r.Reason
	}
	text := fmt.Sprintf("built in %s, run in %s", duration(r.Build), duration(r.CPU))
	if r.Memory > 0 { // where it is polled, it may not have been seen
		text += " with " + size(r.Memory)
	}
	return text
}

// files says which files are taken to be of a language.
func files(l build.Language) string {
	text := strings.Join(l.Match, " ")
	if l.Shebang != nil {
		text += " that begin with #! and " + strings.Join(l.Shebang, " or ")
	}
	return strings.TrimSpace(text)
}

// command writes a command as a shell would take it, as far as that is simple.
func command(list []string) string {
	var words []string
	for _, w := range list {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`;&<>()*?[]#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// Summary writes how many languages do how, and under what they were tried.
func (l *Languages) Summary(w io.Writer) error {
	counts := map[langcheck.Status]int{}
	for _, r := range l.Results {
		counts[r.Status]++
	}
	var parts []string
	for _, s := range []struct {
		status langcheck.Status
		text   string
	}{
		{langcheck.Broken, "broken"}, {langcheck.Works, "working"}, {langcheck.Unchecked, "unchecked"}, {langcheck.Missing, "missing"},
	} {
		if n := counts[s.status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s.text))
		}
	}
	return tty.Put(w, tty.Sprintf("%s: %s; sandbox %s\n", Count(len(l.Results), "language"), strings.Join(parts, ", "), l.Mechanisms.Mode))
}

type languagesDocument struct {
	document.Head
	languagesHead
	Languages []triedObject `json:"languages"`
}

type languagesHead struct {
	Mode string `json:"mode"`
}

type triedObject struct {
	Name    string        `json:"name"`
	Status  string        `json:"status"`
	Reason  string        `json:"reason"`
	Words   string        `json:"words"`
	Version string        `json:"version"`
	Match   []string      `json:"match"`
	Shebang []string      `json:"shebang"`
	Build   []string      `json:"build"`
	Run     []string      `json:"run"`
	Package string        `json:"package"`
	BuildNS time.Duration `json:"build_ns"`
	CPU     time.Duration `json:"cpu_ns"`
	Wall    time.Duration `json:"wall_ns"`
	Memory  int64         `json:"memory_bytes"`
}

// JSON writes all of it as one JSON document.
func (l *Languages) JSON(w io.Writer) error {
	d := languagesDocument{Head: document.NewHead(LanguagesSchema), languagesHead: languagesHead{string(l.Mechanisms.Mode)}}
	for i := range l.Results {
		d.Languages = append(d.Languages, newTried(&l.Results[i]))
	}
	return document.Write(w, d)
}

// newTried is what documents and streams say about a language.
func newTried(r *langcheck.Result) triedObject {
	o := triedObject{
		r.Name, string(r.Status), r.Reason, document.First(r.Words), r.Toolchain.Version,
		r.Language.Match, r.Language.Shebang, r.Toolchain.Build, r.Toolchain.Run, r.Language.Package,
		r.Build, r.CPU, r.Wall, int64(r.Memory),
	}
	if r.Status == langcheck.Missing {
		o.Build, o.Run = r.Language.Build, r.Language.Run
	}
	return o
}
