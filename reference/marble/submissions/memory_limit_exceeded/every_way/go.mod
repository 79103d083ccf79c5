module submission

go 1.23
