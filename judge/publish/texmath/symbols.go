package texmath

import (
	"strings"
	"sync"
)

// symbolTable lists the commands for characters: in each paragraph, the class of its characters and
// then commands with their characters.
const symbolTable = `
letter alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ
varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ
varphi φ chi χ psi ψ omega ω imath ı jmath ȷ ell ℓ wp ℘ hbar ℏ partial ∂

upright Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞ emptyset ∅
varnothing ∅ nabla ∇ Re ℜ Im ℑ aleph ℵ beth ℶ top ⊤ bot ⊥ forall ∀ exists ∃ nexists ∄ angle ∠ triangle △ square □
Box □ blacksquare ■ diamond ⋄ bigstar ★ checkmark ✓ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ sharp ♯
natural ♮ prime ′ backslash \ degree ° S § P ¶ dag † copyright © textcopyright © texttrademark ™ textregistered ® textdegree ° pounds £ euro € _ _ % % $ $ # # & & ldots … dots … dotsc …
dotso … textellipsis … vdots ⋮ ddots ⋱ lnot ¬ neg ¬ surd √ Vert ‖ vert | | ‖ lvert | rvert | lVert ‖ rVert ‖
textbackslash \ textasciitilde ~ textasciicircum ^ textunderscore _ AA Å ss ß ae æ AE Æ o ø O Ø aa å

binary cdot ⋅ times × div ÷ ast ∗ star ⋆ circ ∘ bullet ∙ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ wedge ∧ lor ∨ land ∧
setminus ∖ smallsetminus ∖ wr ≀ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ amalg ⨿ dagger † ddagger ‡ cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯
xor ⊕ bigtriangleup △ bigtriangledown ▽ triangleleft ◃ triangleright ▹ ltimes ⋉ rtimes ⋊ bmod mod

sign pm ± mp ∓

relation le ≤ leq ≤ leqslant ⩽ ge ≥ geq ≥ geqslant ⩾ lt < gt > ne ≠ neq ≠ equiv ≡ approx ≈ cong ≅ sim ∼ simeq ≃ propto ∝
ll ≪ gg ≫ lll ⋘ ggg ⋙ prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈
sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ mid ∣ nmid ∤ divides ∣ parallel ∥ nparallel ∦ perp ⊥ asymp ≍ doteq ≐ models ⊨
vdash ⊢ dashv ⊣ vDash ⊨ bowtie ⋈ lesssim ≲ gtrsim ≳ coloneqq ≔ colon : triangleq ≜ nleq ≰ ngeq ≱ nless ≮ ngtr ≯ approxeq ≊
to → rightarrow → longrightarrow ⟶ gets ← leftarrow ← longleftarrow ⟵ leftrightarrow ↔ longleftrightarrow ⟷ Rightarrow ⇒
Longrightarrow ⟹ implies ⟹ Leftarrow ⇐ Longleftarrow ⟸ impliedby ⟸ Leftrightarrow ⇔ Longleftrightarrow ⟺ iff ⟺ mapsto ↦
longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘
swarrow ↙ nwarrow ↖ rightharpoonup ⇀ leftharpoonup ↼ rightleftharpoons ⇌ leadsto ⇝ therefore ∴ because ∵

large sum ∑ prod ∏ coprod ∐ bigcap ⋂ bigcup ⋃ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigsqcup ⨆ biguplus ⨄

integral int ∫ iint ∬ iiint ∭ oint ∮

opening lbrace { { { lbrack [ langle ⟨ lfloor ⌊ lceil ⌈ lparen ( lgroup ⟮ ulcorner ⌜ llcorner ⌞

closing rbrace } } } rbrack ] rangle ⟩ rfloor ⌋ rceil ⌉ rparen ) rgroup ⟯ urcorner ⌝ lrcorner ⌟

function sin sin cos cos tan tan cot cot sec sec csc csc arcsin arcsin arccos arccos arctan arctan sinh sinh cosh cosh
tanh tanh coth coth log log ln ln lg lg exp exp dim dim ker ker hom hom arg arg deg deg

limit lim lim max max min min sup sup inf inf gcd gcd det det Pr Pr limsup lim~sup liminf lim~inf argmax arg~max argmin arg~min

space , 0.17em : 0.22em > 0.22em ; 0.28em ! -0.17em quad 1em qquad 2em enspace 0.5em thinspace 0.17em medspace 0.22em
thickspace 0.28em negthinspace -0.17em space 0.3em nobreakspace 0.3em
`

// A symbol is what a command for a character stands for.
type symbol struct{ kind, text string }

// symbols returns the commands for characters, without their backslashes.
var symbols = sync.OnceValue(func() map[string]symbol {
	all := map[string]symbol{" ": {"space", "0.3em"}, "\n": {"space", "0.3em"}, "~": {"space", "0.3em"}}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(symbolTable), "\n\n") {
		words := strings.Fields(paragraph)
		for i := 1; i+1 < len(words); i += 2 {
			all[words[i]] = symbol{words[0], words[i+1]}
		}
	}
	return all
})

func (s symbol) item(previous class) item {
	switch s.kind {
	case "letter":
		return item{xml: element("mi", "", s.text)}
	case "upright":
		return item{xml: element("mi", ` mathvariant="normal"`, s.text)}
	case "binary":
		return item{xml: element("mo", "", s.text), class: binary}
	case "sign":
		return sign(s.text, previous)
	case "relation":
		return item{xml: element("mo", ` stretchy="false"`, s.text), class: relation}
	case "large":
		return item{xml: element("mo", ` movablelimits="true"`, s.text), class: operator, limits: true}
	case "integral":
		return item{xml: element("mo", "", s.text), class: operator}
	case "opening":
		return item{xml: element("mo", ` form="prefix" stretchy="false"`, s.text), class: opening}
	case "closing":
		return item{xml: element("mo", ` form="postfix" stretchy="false"`, s.text), class: closing}
	case "function", "limit":
		return function(strings.ReplaceAll(s.text, "~", "\u2009"), s.kind == "limit")
	}
	return gap(s.text)
}

// function returns the item of the name of a function, with the space of an operator around it.
func function(name string, limits bool) item {
	attributes := ` lspace="0.17em" rspace="0.17em"`
	if limits {
		attributes += ` movablelimits="true"`
	}
	return item{xml: element("mo", attributes, name), class: operator, limits: limits}
}

// alphabets maps the commands for alphabets to the first characters of their capital letters, small
// letters and digits; 0 stands for none.
var alphabets = sync.OnceValue(func() map[string][3]rune {
	return map[string][3]rune{
		"mathbf": {0x1D400, 0x1D41A, 0x1D7CE}, "boldsymbol": {0x1D468, 0x1D482, 0x1D7CE}, "bm": {0x1D468, 0x1D482, 0x1D7CE},
		"mathbb": {0x1D538, 0x1D552, 0x1D7D8}, "mathcal": {0x1D49C, 0x1D4B6, 0}, "mathscr": {0x1D49C, 0x1D4B6, 0},
		"mathfrak": {0x1D504, 0x1D51E, 0}, "mathsf": {0x1D5A0, 0x1D5BA, 0x1D7E2}, "mathtt": {0x1D670, 0x1D68A, 0x1D7F6},
	}
})

// letterlike maps characters that Unicode had before it had the rest of their alphabets.
var letterlike = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"\U0001D53A", "ℂ", "\U0001D53F", "ℍ", "\U0001D545", "ℕ", "\U0001D547", "ℙ", "\U0001D548", "ℚ", "\U0001D549", "ℝ", "\U0001D551", "ℤ",
		"\U0001D49D", "ℬ", "\U0001D4A0", "ℰ", "\U0001D4A1", "ℱ", "\U0001D4A3", "ℋ", "\U0001D4A4", "ℐ", "\U0001D4A7", "ℒ", "\U0001D4A8", "ℳ",
		"\U0001D4AD", "ℛ", "\U0001D4BA", "ℯ", "\U0001D4BC", "ℊ", "\U0001D4C4", "ℴ", "\U0001D506", "ℭ", "\U0001D50B", "ℌ", "\U0001D50C", "ℑ",
		"\U0001D515", "ℜ", "\U0001D51D", "ℨ")
})

// inAlphabet returns the letters and digits of a text in an alphabet, and other characters as they
// are.
func inAlphabet(text string, first [3]rune) string {
	return letterlike().Replace(strings.Map(func(r rune) rune {
		for i, from := range []struct{ lo, hi rune }{{'A', 'Z'}, {'a', 'z'}, {'0', '9'}} {
			if from.lo <= r && r <= from.hi && first[i] != 0 {
				return first[i] + r - from.lo
			}
		}
		return r
	}, text))
}

// Symbol returns the character that a command, given without its backslash, stands for, in formulas
// and in text. Commands for space are blanks, which do not break a line.
func Symbol(name string) (string, bool) {
	s, ok := symbols()[name]
	switch {
	case !ok || s.kind == "function" || s.kind == "limit":
		return "", false
	case s.kind == "space" && strings.HasPrefix(s.text, "-"):
		return "", true
	case s.kind == "space":
		return "\u00a0", true
	}
	return s.text, true
}
