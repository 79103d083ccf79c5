//go:build !linux

// Package remote runs programs in a service of the host, which works on Linux only.
package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// DefaultPath is where the service would listen.
const DefaultPath = "/run/tribunal/runner.sock"

// DefaultShown lists nothing.
var DefaultShown []string

// Quota bounds what one user may use.
type Quota struct {
	Connections, Runs int
	Memory            limits.Bytes
}

var errLinux = errors.New("the runner service works on Linux only (hint: docs/install.md#systems)")

// Dial returns an error, which wraps [os.ErrNotExist].
func Dial(path string) (runner.Runner, error) {
	return nil, fmt.Errorf("%s: %w: %w", path, errLinux, os.ErrNotExist)
}

// Listen returns an error.
func Listen(string, int) (*net.UnixListener, error) { return nil, errLinux }

// Inherited returns nothing.
func Inherited() (*net.UnixListener, error) { return nil, nil }

// Service would run the programs.
type Service struct{}

// NewService returns a service that cannot serve.
func NewService(*sandbox.Host, int, Quota, []string) *Service { return &Service{} }

// Serve returns an error.
func (*Service) Serve(context.Context, *net.UnixListener) error { return errLinux }
