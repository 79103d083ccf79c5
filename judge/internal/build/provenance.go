package build

import (
	"context"

	"tribunal/judge/internal/cache"
)

// Provenance identifies everything that determines a program. Programs with the same provenance
// behave alike. On machines with the same toolchain, a source has the same provenance.
type Provenance struct {
	Source    string // hash of the files that the build uses, and of the language
	Flags     string // hash of the language's build and run command and environment
	Toolchain string // version in one line, such as "go version go1.26.8 linux/amd64"; "" if the language has no version command
}

// Provenance returns the provenance of a source without building it. It runs the version command
// only if the toolchain is not a Go distribution and has changed since the command last ran.
func (b *Builder) Provenance(ctx context.Context, s *Source) (Provenance, error) {
	if s.sum != "" {
		return Provenance{Source: string(s.sum)}, nil
	}
	t, err := b.resolve(ctx, s.Language)
	if err != nil {
		return Provenance{}, err
	}
	source, flags := cache.NewHasher("source 1"), cache.NewHasher("flags 1")
	s.key(source)
	l := b.languageOf(s)
	lists(flags, l.Build, l.Run, l.Env)
	if l.Keep != nil {
		lists(flags, l.Keep)
	}
	return Provenance{string(source.Key()), string(flags.Key()), versionLine(t.Version)}, nil
}
