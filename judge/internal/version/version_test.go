package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	platform := ", " + runtime.GOOS + "/" + runtime.GOARCH
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123abcd"}
	for _, tt := range []struct {
		why  string
		info debug.BuildInfo
		want string
	}{
		{"nothing is known", debug.BuildInfo{}, "(devel), " + runtime.Version() + platform},
		{"built in a clone", debug.BuildInfo{GoVersion: "go1.30", Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}}, "(devel), commit 0123abcd, go1.30" + platform},
		{"with changed files", debug.BuildInfo{GoVersion: "go1.30", Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}}, "(devel), commit 0123abcd, modified, go1.30" + platform},
		{"installed", debug.BuildInfo{GoVersion: "go1.30", Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3, go1.30" + platform},
	} {
		if got := describe(&tt.info); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
	if b := Build(); !strings.HasSuffix(b, runtime.Version()+platform) || strings.Contains(b, "\n") {
		t.Errorf("this build is %q", b)
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, module, version, want string }{
		{"a release", "example.org/tribunal", "v1.2.3", "example.org/tribunal/judge@v1.2.3"},
		{"a commit", "example.org/tribunal", "v0.0.0-20261126100000-0123456789ab", "example.org/tribunal/judge@v0.0.0-20261126100000-0123456789ab"},
		{"changed files", "example.org/tribunal", "v1.2.3+dirty", ""},
		{"a clone", "example.org/tribunal", "(devel)", ""},
		{"a module without a host", "tribunal", "v1.2.3", ""},
		{"nothing is known", "", "", ""},
	} {
		info := &debug.BuildInfo{Path: tt.module + "/judge", Main: debug.Module{Path: tt.module, Version: tt.version}}
		if got := release(info); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
