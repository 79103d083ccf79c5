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

// Release returns where go install gets this program, as package@version, such as
// example.org/tribunal/judge@v1.2.0. It is "" if this program was not installed from a version of a
// module that others can get.
var Release = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return release(info)
})

func release(info *debug.BuildInfo) string {
	host, _, _ := strings.Cut(info.Main.Path, "/")
	if !strings.Contains(host, ".") || !strings.HasPrefix(info.Main.Version, "v") || strings.Contains(info.Main.Version, "+dirty") {
		return ""
	}
	return info.Path + "@" + info.Main.Version
}
