package mutate

// Operator is a kind of mistake.
type Operator struct{ Name, Doc string }

// Operators lists the kinds of mistakes, in the order in which reports name them.
func Operators() []Operator {
	return []Operator{
		{"boundary", "a comparison with its bound included or excluded: < and <=, > and >="},
		{"relation", "a negated comparison: == and !=, < and >="},
		{"condition", "a condition, or a part of one, that always or never holds"},
		{"logic", "&& for ||, and || for &&"},
		{"not", "a missing !"},
		{"arithmetic", "another arithmetic or bitwise operator: + and -, * for /, << and >>, ++ and --"},
		{"constant", "a number one higher or one lower, 0, or negated; a negated truth value"},
		{"string", "an empty string"},
		{"argument", "two arguments, or two assigned values, swapped"},
		{"index", "an index one higher or one lower, or [i][j] for [j][i]"},
		{"slice", "a slice that begins one element later or ends one earlier"},
		{"statement", "a missing statement"},
		{"branch", "a branch with a missing body"},
		{"loop", "a loop with one iteration less or more, or only one"},
		{"search", "a loop that ends half way, or one over all subsets that tries one element at a time"},
		{"jump", "a missing break or continue, or one in place of the other"},
		{"return", "a different result, nil for a value, or a missing early return"},
		{"width", "an integer result that is cut to fewer bits"},
		{"direction", "two neighbours in a composite literal, swapped"},
		{"minmax", "min for max, and max for min"},
	}
}
