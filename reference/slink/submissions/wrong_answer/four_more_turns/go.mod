module submission

go 1.21
