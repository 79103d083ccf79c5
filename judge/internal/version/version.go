// Package version names the build of the judge.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Build returns in words what this program was built from, on one line: its version, the
// commit and whether files had been changed since, the Go version and the platform. What
// the program does not know, such as the commit with go run, is left out.
var Build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info)
})

func describe(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	parts := []string{cmp.Or(info.Main.Version, "(devel)")}
	if commit := settings["vcs.revision"]; commit != "" {
		parts = append(parts, "commit "+commit)
		if settings["vcs.modified"] == "true" {
			parts = append(parts, "modified")
		}
	}
	parts = append(parts, cmp.Or(info.GoVersion, runtime.Version()), fmt.Sprintf("%s/%s", runtime.GOOS, runtime.GOARCH))
	return strings.Join(parts, ", ")
}
