package perform

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Languages returns the languages that work here, sorted: those whose tools are found, unless these turned out not
// to compile a correct program.
func (p *Performer) Languages(ctx context.Context) []string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(p.engine.Config.Build.Languages)) {
		tools, err := p.engine.Builder.Toolchain(ctx, name)
		if err == nil && present(tools.Build) && present(tools.Run) && p.works(name) {
			list = append(list, name)
		}
	}
	return list
}

// present reports whether the tool of a command is still there: what was found once is not searched for again.
func present(command []string) bool {
	if len(command) == 0 || !filepath.IsAbs(command[0]) {
		return true
	}
	_, err := os.Stat(command[0])
	return err == nil
}

// works reports whether no tool of a language has failed. A missing tool has not.
func (p *Performer) works(language string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.broken[language]
}
