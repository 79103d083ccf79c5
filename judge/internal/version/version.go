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

// Build returns on one line what this program was built from: its version, the commit, "modified"
// if files had changed since, the Go version and the platform. It leaves out what the program does
// not know, such as the commit with go run.
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
