package mutate

// Operator is a kind of mistake.
type Operator struct{ Name, Doc string }

// Operators lists the kinds of mistakes, in the order in which reports name them.
func Operators() []Operator {
	return []Operator{
		{"boundary", "a comparison that takes in its bound or leaves it out: < and <=, > and >="},
		{"relation", "a comparison that says the opposite: == and !=, < and >="},
		{"condition", "a condition, or a part of one, that always or never holds"},
		{"logic", "&& and ||"},
		{"not", "a ! left out"},
		{"arithmetic", "another arithmetic or bitwise operator: + and -, * for /, << and >>, ++ and --"},
		{"constant", "a number one more or one less, 0, or of the other sign; a truth value turned"},
		{"string", "a string that is empty"},
		{"argument", "two arguments, or two values assigned, that have changed places"},
		{"index", "an index one more or one less, or [i][j] for [j][i]"},
		{"slice", "a slice that begins one later or ends one earlier"},
		{"statement", "a statement left out"},
		{"branch", "the body of a branch left out"},
		{"loop", "a loop that makes one round less or more, or only one"},
		{"jump", "a break or continue left out, or one for the other"},
		{"return", "another result, nil for something, or an early return left out"},
		{"width", "an integer result that is cut to fewer bits"},
		{"direction", "two neighbours in a composite literal that have changed places"},
		{"minmax", "min and max"},
	}
}
