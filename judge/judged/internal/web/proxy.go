package web

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// forwarded returns a request as its client has sent it to the proxies of [Options]: with the address of the client,
// and with TLS if the client used that. What a request says about its way counts only if it comes from such a proxy, and
// then as far back as the proxies are known; what stands before may be made up. If its two headers name different
// clients, a proxy has passed one of them on as it came, and the address is that of the proxy.
func (w *Web) forwarded(r *http.Request) *http.Request {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !w.isProxy(peer.Addr()) {
		return r
	}
	hops, protocols := listed(r.Header, "X-Forwarded-For"), listed(r.Header, "X-Forwarded-Proto")
	client := w.client(peer.Addr(), hops)
	if elements := listed(r.Header, "Forwarded"); len(elements) > 0 {
		var nodes []string
		for _, e := range elements {
			node, protocol := parameters(e)
			nodes, protocols = append(nodes, node), append(protocols, protocol)
		}
		if other := w.client(peer.Addr(), nodes); len(hops) == 0 {
			client = other
		} else if other != client {
			client = peer.Addr()
		}
	}
	seen := *r
	seen.RemoteAddr = netip.AddrPortFrom(client, peer.Port()).String()
	if n := len(protocols); seen.TLS == nil && n > 0 && strings.EqualFold(protocols[n-1], "https") {
		seen.TLS = &tls.ConnectionState{}
	}
	return &seen
}

func (w *Web) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(w.o.Proxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap().WithZone("")) })
}

// client goes back from a proxy to the first hop that is none, or of which the next one is not an address.
func (w *Web) client(at netip.Addr, hops []string) netip.Addr {
	for _, hop := range slices.Backward(hops) {
		a, err := netip.ParseAddr(strings.Trim(hop, "[]"))
		if both, e := netip.ParseAddrPort(hop); e == nil {
			a, err = both.Addr(), nil
		}
		if err != nil || !w.isProxy(at) {
			break
		}
		at = a
	}
	return at
}

// listed returns the elements of all headers of a name.
func listed(h http.Header, name string) (list []string) {
	for _, line := range h.Values(name) {
		for e := range strings.SplitSeq(line, ",") {
			list = append(list, strings.TrimSpace(e))
		}
	}
	return list
}

// parameters returns what an element of the header Forwarded (RFC 7239) says of the node that sent the request, and of
// its protocol.
func parameters(element string) (node, protocol string) {
	for each := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(each), "=")
		value = strings.Trim(value, `"`)
		switch strings.ToLower(name) {
		case "for":
			node = value
		case "proto":
			protocol = value
		}
	}
	return node, protocol
}
