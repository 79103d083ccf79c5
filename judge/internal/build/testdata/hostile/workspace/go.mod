module m

go 1.21
