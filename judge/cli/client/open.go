package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// TokenVariable is the environment variable with the token if no file has it.
const TokenVariable = "TRIBUNAL_TOKEN"

// Open returns a client for the server at a URL, with the token in a file, or that of [TokenVariable] if file is "".
// warning is "" or says what is unsafe about it. The errors are those of the user who gave --server and --token-file.
func Open(server, file string) (c *Client, warning string, err error) {
	token := os.Getenv(TokenVariable)
	if file != "" {
		text, err := regular.ReadAny(file)
		if err != nil {
			return nil, "", yamlstrict.FileError(file, err)
		}
		token = string(text)
	}
	token = strings.TrimSpace(token)
	if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, "", errors.New("the token has characters that no token has (hint: --token-file names a file with nothing but the token)")
	}
	if c, err = New(server, token); err != nil {
		return nil, "", fmt.Errorf("--server: %w", err)
	}
	if u, err := url.Parse(c.URL); err == nil && u.Scheme == "http" && token != "" && !loopback(u.Hostname()) {
		warning = fmt.Sprintf("the token is sent to %s without encryption (hint: https)", u.Host)
	}
	return c, warning, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Explain adds the server to an error of the client, and a hint. It reports whether the user has to change
// something: otherwise the server has failed, or was not reached.
func (c *Client) Explain(err error) (explained error, user bool) {
	e, answered := errors.AsType[*Error](err)
	hint := ""
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err, false
	case !answered && Hint(err) != "":
		hint = Hint(err)
	case !answered || e.Status >= 500:
		return fmt.Errorf("%s: %w", c.URL, err), false
	case e.Status == http.StatusUnauthorized && c.Token == "":
		return fmt.Errorf("%s: the server wants a token (hint: %s, or the file of --token-file, holds it)", c.URL, TokenVariable), true
	case strings.Contains(err.Error(), "(hint: "):
	case e.Status == http.StatusForbidden:
		hint = "ask an administrator for a token that may"
	case e.Foreign:
		hint = "is it the URL of a judged, with https if it has TLS?"
	case e.Status == http.StatusNotFound:
		hint = c.URL + "/v1/problems lists the problems that it has"
	case e.Status == http.StatusRequestEntityTooLarge:
		hint = "docs/api.md has the bounds"
	}
	if hint != "" {
		err = fmt.Errorf("%w (hint: %s)", err, hint)
	}
	return fmt.Errorf("%s: %w", c.URL, err), true
}

// Ask sends a request without a body, whose answer is a T in JSON. The path begins with /v1.
func Ask[T any](ctx context.Context, c *Client, method, path string, query url.Values) (*T, error) {
	return decode[T](ctx, c, request{method: method, path: path, query: query})
}

// File returns the file at a path, byte for byte. The path begins with /v1.
func (c *Client) File(ctx context.Context, path string) ([]byte, error) {
	return c.bytes(ctx, request{method: "GET", path: path})
}

// Send sends a request with a body in JSON, whose answer is a T in JSON. The path begins with /v1.
func Send[T any](ctx context.Context, c *Client, method, path string, body any) (*T, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return decode[T](ctx, c, request{method: method, path: path, body: bytes.NewReader(data)})
}
