//go:build !linux

package main

// hugePages does nothing: it is only implemented for Linux.
func hugePages[E any]([]E) {}
