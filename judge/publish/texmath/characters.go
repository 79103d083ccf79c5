package texmath

import "strings"

// number reads digits, with a decimal point between digits.
func (p *parser) number() string {
	start := p.pos
	digit := func(at int) bool { return at < len(p.src) && '0' <= p.src[at] && p.src[at] <= '9' }
	for digit(p.pos) || p.pos > start && p.src[min(p.pos, len(p.src)-1)] == '.' && digit(p.pos+1) {
		p.pos++
	}
	return p.src[start:p.pos]
}

// tight returns an operator without the space that it usually has around it.
func tight(xml string) string {
	if _, rest, ok := strings.Cut(xml, ">"); ok && strings.HasPrefix(xml, "<mo") && !strings.HasPrefix(xml, "<mover") {
		return `<mo stretchy="false" lspace="0" rspace="0">` + rest
	}
	return "<mrow>" + xml + "</mrow>"
}

func gap(width string) item {
	return item{xml: `<mspace width="` + width + `"></mspace>`, class: space}
}

// character returns the item of a character that is neither a letter nor a digit.
func character(t string, previous class) item {
	switch t {
	case "(", "[":
		return item{xml: element("mo", ` stretchy="false"`, t), class: opening}
	case ")", "]":
		return item{xml: element("mo", ` stretchy="false"`, t), class: closing}
	case "|", "‖":
		return item{xml: element("mo", ` stretchy="false" lspace="0" rspace="0"`, t)}
	case "-", "+", "±", "∓", "−":
		if t == "-" {
			t = "−"
		}
		return sign(t, previous)
	case "*":
		return item{xml: element("mo", "", "∗"), class: binary}
	case "/":
		return item{xml: element("mo", ` lspace="0" rspace="0"`, t)}
	case ",", ";":
		return item{xml: element("mo", ` separator="true" lspace="0" rspace="0.17em"`, t), class: punctuation}
	case "=", "<", ">", ":":
		return item{xml: element("mo", "", t), class: relation}
	case "!", "?":
		return item{xml: element("mo", ` lspace="0" rspace="0"`, t), class: closing}
	case ".", "\"", "`", "@":
		return item{xml: element("mi", ` mathvariant="normal"`, t)}
	}
	return item{xml: element("mo", "", t), class: relation}
}

// sign returns + or -, which stands for a binary operation only after something to operate on.
func sign(t string, previous class) item {
	switch previous {
	case ordinary, closing:
		return item{xml: element("mo", "", t), class: binary}
	}
	return item{xml: element("mo", ` form="prefix" lspace="0" rspace="0"`, t)}
}

// fenced returns an element between delimiters that grow with it; "" and "." stand for none.
func fenced(left, xml, right string) string {
	return "<mrow>" + fence(left, "prefix") + xml + fence(right, "postfix") + "</mrow>"
}

func fence(t, form string) string {
	if t == "" || t == "." {
		return ""
	}
	return element("mo", ` form="`+form+`" stretchy="true" symmetric="true"`, t)
}
