module submission

go 1.22
