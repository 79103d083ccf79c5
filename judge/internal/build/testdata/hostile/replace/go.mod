module m

go 1.21

require example.com/x v0.0.0

replace example.com/x => /root/x
