package layout

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"tribunal/judge/internal/tty"
)

// htmlCommon defines what all pages begin with: a head that forbids everything but styles and
// pictures in the page itself, and the styles that they share.
//
//go:embed html_common.html
var htmlCommon string

// htmlVerdicts defines the styles of tables of verdicts, and what is shown of a submission.
//
//go:embed html_verdicts.html
var htmlVerdicts string

// Template returns a function that returns the template of a page. The template is parsed when
// it is first needed.
func Template(name, text string) func() *template.Template {
	return sync.OnceValue(func() *template.Template {
		common := template.Must(template.New("common").Parse(htmlCommon + htmlVerdicts))
		return template.Must(common.New(name).Funcs(template.FuncMap{
			"duration": Duration, "percent": Percent, "count": Count, "join": strings.Join, "clean": Word, "source": sourceLine,
		}).Parse(text))
	})
}

// WritePage writes a page with a single write.
func WritePage(w io.Writer, t *template.Template, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return err
	}
	return tty.Data(w, b.Bytes())
}

// sourceLine cleans a whole line of a program.
func sourceLine(text string) string { return tty.Clean(strings.ReplaceAll(text, "\t", "    ")) }
