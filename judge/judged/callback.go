package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/judged/internal/web"
)

// outsideOptions say which other hosts and pages clients may bring into play, and which proxies they come through.
type outsideOptions struct {
	hosts   []string
	key     string // a file
	origins []string
	proxies []string
	trusted []netip.Prefix // the proxies; set by check
}

func (o *outsideOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.hosts, "callback-host", nil, "`HOST` or HOST:PORT to which clients of Judge0 may have results sent; repeat it for several. A private address must be listed itself (default: none)")
	f.StringVar(&o.key, "callback-key", "", "`file` with the key that signs what is sent to --callback-host, of at least 16 bytes")
	f.StringSliceVar(&o.origins, "origin", nil, "`ORIGIN` of web pages whose scripts may use the API, such as https://ide.example.org, or * for any; repeat it for several (default: none)")
	f.StringSliceVar(&o.proxies, "proxy", nil, "`CIDR` of the addresses of proxies in front, such as 10.0.0.7 or 10.0.0.0/24: the X-Forwarded-For, X-Forwarded-Proto or Forwarded of their requests counts; repeat it for several (default: none)")
}

func (o *outsideOptions) check() error {
	for _, one := range o.hosts {
		u, err := url.Parse("http://" + one)
		bare := strings.Count(one, ":") > 1 && !strings.HasPrefix(one, "[") // IPv6 has brackets, as in URLs
		if err == nil && u.Port() != "" {
			_, err = strconv.ParseUint(u.Port(), 10, 16)
		}
		if err != nil || bare || u.Host != one || u.Hostname() == "" || strings.ContainsAny(one, "* ") {
			return usage(fmt.Errorf("--callback-host %q: want a host, such as example.org or 10.0.0.7:8080", one))
		}
	}
	for _, one := range o.origins {
		if u, err := url.Parse(one); one != "*" && (err != nil || u.Hostname() == "" || one != "http://"+u.Host && one != "https://"+u.Host) {
			return usage(fmt.Errorf("--origin %q: want an origin as browsers send it, such as https://ide.example.org, or *", one))
		}
	}
	for _, one := range o.proxies {
		p, err := netip.ParsePrefix(one)
		if a, e := netip.ParseAddr(one); e == nil {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil || p.Bits() == 0 {
			return usage(fmt.Errorf("--proxy %q: want the addresses of proxies alone, such as 10.0.0.7 or 10.0.0.0/24", one))
		}
		o.trusted = append(o.trusted, p)
	}
	if (len(o.hosts) > 0) != (o.key != "") {
		return usage(errors.New("--callback-host and --callback-key belong together (hint: head -c 32 /dev/urandom | base64 >callback.key)"))
	}
	return nil
}

// callbacks returns where and how callbacks are sent, nil if nowhere.
func (o *outsideOptions) callbacks() (*web.Callbacks, error) {
	if len(o.hosts) == 0 {
		return nil, nil
	}
	key, err := os.ReadFile(o.key)
	if err != nil {
		return nil, usage(fmt.Errorf("--callback-key: %w", err))
	}
	if key = bytes.TrimSpace(key); len(key) < 16 {
		return nil, usage(fmt.Errorf("--callback-key %s: %d bytes are too few for a key, want at least 16", o.key, len(key)))
	}
	return &web.Callbacks{Hosts: o.hosts, Key: key}, nil
}
