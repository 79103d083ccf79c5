//go:build linux

package doctor

import (
	"net"

	"golang.org/x/sys/unix"
)

func networkAttacks() []attack {
	const group = "network"
	return []attack{
		{name: "tcp-host", group: group, what: "tcp to a listener of the host", want: "no connection", do: tcpHost},
		{name: "tcp-outside", group: group, what: "tcp to an address outside", want: "no connection", do: tcpOutside, harm: true},
		{name: "udp-host", group: group, what: "udp to a listener of the host", want: "no connection", do: udpHost},
		{name: "unix-abstract", group: group, what: "an abstract socket of the host", want: "no connection", do: unixAbstract, open: inRlimit},
		{name: "unix-path", group: group, what: "a socket file of the host", want: "no connection", do: unixPath, open: inRlimit},
		{name: "netlink", group: group, what: "the host's interfaces by netlink", want: "EAFNOSUPPORT", do: netlink},
		{name: "packet", group: group, what: "a packet socket", want: "EAFNOSUPPORT, EPERM", do: sockets(unix.AF_PACKET, unix.SOCK_RAW, 0)},
		{name: "raw", group: group, what: "a raw internet socket", want: "EAFNOSUPPORT, EPERM", do: sockets(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)},
		{name: "vsock", group: group, what: "vsock, to the hypervisor", want: "EAFNOSUPPORT", do: sockets(unix.AF_VSOCK, unix.SOCK_STREAM, 0)},
		{name: "kernel-crypto", group: group, what: "the kernel's crypto sockets", want: "EAFNOSUPPORT", do: sockets(unix.AF_ALG, unix.SOCK_SEQPACKET, 0)},
		{name: "families", group: group, what: "sockets of all other families", want: "EAFNOSUPPORT", do: families, harm: true},
	}
}

// connects opens a socket and connects it. Every error of connect counts as held except
// EINPROGRESS, which means that a packet was sent.
func connects(family, kind int, to unix.Sockaddr) outcome {
	fd, err := unix.Socket(family, kind|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return refused(err)
	}
	defer unix.Close(fd)
	err = unix.Connect(fd, to)
	if err == nil && kind == unix.SOCK_DGRAM && family != unix.AF_UNIX {
		_, err = unix.Write(fd, []byte("hello"))
	}
	switch err {
	case nil:
		return broke("connected")
	case unix.EINPROGRESS:
		return broke("a packet left")
	}
	return held("%s", errorName(err))
}

func tcpHost(w *hostInfo) outcome {
	if w.TCP == 0 {
		return held("the host has no network")
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return refused(err)
	}
	defer unix.Close(fd)
	// A blocking connect, because the host's loopback accepts or refuses it at once.
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: w.TCP, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return held("%s", errorName(err))
	}
	return broke("connected")
}

func tcpOutside(*hostInfo) outcome {
	// An address reserved for documentation by RFC 5737: no host has it.
	return connects(unix.AF_INET, unix.SOCK_STREAM, &unix.SockaddrInet4{Port: 80, Addr: [4]byte{192, 0, 2, 1}})
}

func udpHost(w *hostInfo) outcome {
	if w.UDP == 0 {
		return held("the host has no network")
	}
	return connects(unix.AF_INET, unix.SOCK_DGRAM, &unix.SockaddrInet4{Port: w.UDP, Addr: [4]byte{127, 0, 0, 1}})
}

func unixAbstract(w *hostInfo) outcome {
	return connects(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: "@" + w.Abstract})
}

func unixPath(w *hostInfo) outcome {
	return connects(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: w.Socket})
}

// netlink may see a loopback interface that is down, which reveals nothing.
func netlink(*hostInfo) outcome {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE)
	if err != nil {
		return refused(err)
	}
	unix.Close(fd)
	list, err := net.Interfaces()
	if err != nil {
		return held("%s", errorName(err))
	}
	for _, i := range list {
		if i.Flags&net.FlagUp != 0 {
			return broke("sees interfaces")
		}
	}
	return held("no interface is up")
}

func sockets(family, kind, protocol int) payload {
	return func(*hostInfo) outcome {
		fd, err := unix.Socket(family, kind, protocol)
		if err == nil {
			unix.Close(fd)
		}
		return refused(err, unix.EPROTONOSUPPORT, unix.ESOCKTNOSUPPORT)
	}
}

// families tries all socket families except those that the network namespace confines and those
// with an attack of their own.
func families(*hostInfo) outcome {
	own := map[int]bool{
		unix.AF_UNSPEC: true, unix.AF_UNIX: true, unix.AF_INET: true, unix.AF_INET6: true,
		unix.AF_NETLINK: true, unix.AF_PACKET: true, unix.AF_VSOCK: true, unix.AF_ALG: true,
	}
	for family := range unix.AF_MAX {
		for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_RAW, unix.SOCK_SEQPACKET} {
			if own[family] {
				continue
			}
			fd, err := unix.Socket(family, kind, 0)
			if err == nil {
				unix.Close(fd)
				return broke("opened family %d", family)
			}
		}
	}
	return held("all refused")
}
