package width

var Fold = 1
