package build

import (
	"path"
	"strings"
)

// What a program may have that is run by [Source.Commands], since nobody says.
const (
	usualMemory = "512m"
	usualHeap   = "512"
	usualStack  = "64"
)

// Commands returns what builds a source in a language where its files stand, and what runs
// it from elsewhere, dir being that place; for whoever has no judge to do it. exe is what an
// executable is called. build is nil if there is nothing to build.
func (s *Source) Commands(l Language, exe, dir string) (build, run []string) {
	values := func(exe, dir, main string) map[string][]string {
		return map[string][]string{
			"{src}": s.inOrder(l), "{main}": {main}, "{stem}": {stem(s.main)}, "{dir}": {dir}, "{exe}": {exe},
			"{memory}": {usualMemory}, "{heap}": {usualHeap}, "{stack}": {usualStack}, "{cpus}": {"1"},
		}
	}
	first := func(command []string) []string {
		if len(command) > 0 {
			command[0], _, _ = strings.Cut(command[0], "|") // of several names of a tool
		}
		return command
	}
	build = first(expand(l.Build, &toolchain{}, values(exe, ".", s.main)))
	if len(l.Run) == 0 {
		return build, []string{dir + "/" + exe}
	}
	main := s.main
	if s.classes() { // which are started by their names
		main = stem(path.Base(s.main))
	}
	return build, first(expand(l.Run, &toolchain{}, values(dir+"/"+exe, dir, main)))
}
