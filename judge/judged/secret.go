package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tribunal/judge/internal/system"
)

// secret returns the secret in a file that only its owner can read. If there is none, or the file is empty, it
// makes one: an empty file may be left by a full disk or a power cut, and an empty secret would let everybody in.
func secret(file string, create func() (string, error)) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", usage(fmt.Errorf("--data: %w (hint: remove it, and the next start makes another)", err))
	}
	if text = bytes.TrimSpace(text); len(text) > 0 {
		return string(text), nil
	}
	made, err := create()
	if err != nil {
		return "", err
	}
	return made, system.WriteFile(file, []byte(made+"\n"), 0o600)
}

func password() (string, error) { return rand.Text(), nil }
