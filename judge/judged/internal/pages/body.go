package pages

import (
	"html/template"
	"slices"
	"strings"
	"sync"

	markup "golang.org/x/net/html"
)

// bodyWords are the elements and the attributes that statements have, with the MathML of formulas. Links and pictures
// are checked beside.
var bodyWords = sync.OnceValues(func() (elements, attributes []string) {
	return strings.Fields(`h1 h2 h3 h4 h5 h6 section div p span pre code kbd samp var br hr a img figure figcaption blockquote q cite abbr
		ul ol li dl dt dd table caption thead tbody tfoot tr th td em i b strong u s del ins sub sup small details summary
		math mrow mi mn mo ms mtext mspace mstyle mfrac msqrt mroot mover munder munderover msub msup msubsup mmultiscripts
		mprescripts mtable mtr mtd mphantom mpadded menclose merror semantics`),
		strings.Fields(`class alt colspan rowspan start style accent accentunder alttext columnalign columnspacing depth display
		displaystyle fence form height largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits notation
		rowspacing rspace scriptlevel separator stretchy symmetric width xmlns`)
})

// bodyOf returns the statement of a problem as far as statements go. It comes from a worker, which may not be honest:
// with a form or a redirection it could have a teacher do what the worker cannot.
func bodyOf(text string) template.HTML {
	elements, attributes := bodyWords()
	var b strings.Builder
	for z := markup.NewTokenizer(strings.NewReader(text)); z.Next() != markup.ErrorToken; {
		t := z.Token()
		switch t.Type {
		case markup.StartTagToken, markup.EndTagToken, markup.SelfClosingTagToken:
			if !slices.Contains(elements, t.Data) {
				continue
			}
			t.Attr = slices.DeleteFunc(t.Attr, func(a markup.Attribute) bool {
				value := strings.ToLower(a.Val)
				switch a.Key {
				case "href":
					return !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "mailto:")
				case "src":
					return !strings.HasPrefix(value, "data:image/")
				}
				return !slices.Contains(attributes, a.Key)
			})
		case markup.TextToken:
		default: // comments
			continue
		}
		b.WriteString(t.String())
	}
	return template.HTML(b.String())
}
