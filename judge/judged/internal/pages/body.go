package pages

import (
	"html/template"
	"regexp"
	"slices"
	"strconv"
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
		strings.Fields(`class alt colspan rowspan start accent accentunder alttext columnalign columnspacing depth display
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
			for i, a := range t.Attr {
				if a.Key == "style" {
					t.Attr[i] = unstyled(t.Data, a.Val)
				}
			}
			t.Attr = slices.DeleteFunc(t.Attr, func(a markup.Attribute) bool {
				value := strings.ToLower(a.Val)
				switch a.Key {
				case "href":
					return !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "mailto:")
				case "src":
					return !strings.HasPrefix(value, "data:image/")
				}
				return a.Namespace != styled && !slices.Contains(attributes, a.Key)
			})
		case markup.TextToken:
		default: // comments
			continue
		}
		for i := range t.Attr {
			t.Attr[i].Namespace = ""
		}
		b.WriteString(t.String())
	}
	return template.HTML(b.String())
}

// styled marks the attributes that [unstyled] returns.
const styled = "style"

// widths are the units of widths, in pixels.
var widths = map[string]float64{"px": 1, "pt": 4.0 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16, "ex": 8}

var widthStyle = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^width:(\d+\.?\d*)(%|[a-z]{2})$`) })

// unstyled returns the attribute of an element that says what a style of statements says, which the policy of the pages
// keeps out: an alignment or a width. Shares of the page are rounded to tens, for which the style sheet has rules.
func unstyled(element, style string) markup.Attribute {
	if value, ok := strings.CutPrefix(style, "text-align:"); ok && (value == "left" || value == "right" || value == "center") {
		return markup.Attribute{Namespace: styled, Key: "align", Val: value}
	}
	m := widthStyle().FindStringSubmatch(style)
	if m == nil {
		return markup.Attribute{Key: "style"}
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	switch unit := widths[m[2]]; {
	case m[2] == "%":
		return markup.Attribute{Namespace: styled, Key: "data-width", Val: strconv.Itoa(min(10, max(1, int(n/10+0.5))) * 10)}
	case element == "img" && unit > 0:
		return markup.Attribute{Namespace: styled, Key: "width", Val: strconv.Itoa(int(min(n*unit, 2000)))}
	}
	return markup.Attribute{Key: "style"}
}
