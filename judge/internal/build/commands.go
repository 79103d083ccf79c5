package build

import (
	"path"
	"slices"
	"strings"
)

// Values of placeholders for [Source.Commands], which knows no limits from which to derive them.
const (
	usualMemory = "512m"
	usualHeap   = "512"
	usualStack  = "64"
)

// Commands returns the commands that build and run a source without the judge, such as in an
// exported package. build must run in the folder of the sources, and may make an executable named
// exe there; it is nil if there is nothing to build. run may run in any folder from which the path
// of the sources is dir.
func (s *Source) Commands(l Language, exe, dir string) (build, run []string) {
	values := func(exe, dir, main string) map[string][]string {
		return map[string][]string{
			"{src}": s.inOrder(l), "{main}": {main}, "{stem}": {stem(s.main)}, "{dir}": {dir}, "{exe}": {exe},
			"{memory}": {usualMemory}, "{heap}": {usualHeap}, "{stack}": {usualStack}, "{cpus}": {"1"},
		}
	}
	first := func(command []string) []string {
		if len(command) > 0 {
			command[0], _, _ = strings.Cut(command[0], "|") // the first of the alternative tools
		}
		return command
	}
	build = first(expand(l.Build, &toolchain{}, values(exe, ".", s.main)))
	if len(l.Run) == 0 {
		return build, []string{dir + "/" + exe}
	}
	main := s.main
	if s.classes() { // java expects the name of a class
		main = stem(path.Base(s.main))
	}
	return build, first(expand(l.Run, &toolchain{}, values(dir+"/"+exe, dir, main)))
}

// forTools returns an environment in which {dir} is replaced by a folder, and the words for limits by
// usual ones.
func forTools(env []string, dir string) []string {
	fill := strings.NewReplacer("{dir}", dir, "{memory}", usualMemory, "{heap}", usualHeap, "{stack}", usualStack, "{cpus}", "1")
	filled := slices.Clone(env)
	for i, setting := range filled {
		filled[i] = fill.Replace(setting)
	}
	return filled
}
