// verdict: AC
// why: Go's network package finds no network, and reports that instead of hanging
package main

import (
	"fmt"
	"net"
)

func main() {
	for _, network := range []string{"tcp", "tcp4", "tcp6"} {
		if l, err := net.Listen(network, "127.0.0.1:0"); err == nil {
			fmt.Println("broke: listening on", l.Addr())
			return
		}
	}
	if c, err := net.ListenPacket("udp", "127.0.0.1:0"); err == nil {
		fmt.Println("broke: listening on", c.LocalAddr())
		return
	}
	if interfaces, err := net.Interfaces(); err == nil && len(interfaces) > 0 {
		fmt.Println("broke: interfaces", interfaces)
		return
	}
	fmt.Println("held")
}
