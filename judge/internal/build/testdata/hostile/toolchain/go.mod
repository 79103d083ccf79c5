module m

go 1.99

toolchain go1.99.1
