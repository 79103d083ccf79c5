//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestExplained(t *testing.T) {
	t.Parallel()
	start := func(err error) error {
		return fmt.Errorf("container: %w", &os.PathError{Op: "fork/exec", Path: "/proc/self/exe", Err: err})
	}
	for _, tt := range []struct {
		why      string
		err      error
		settings map[string]string
		jailed   bool
		want     string
	}{
		{"user namespaces are turned off", start(unix.ENOSPC), map[string]string{"user/max_user_namespaces": "0"}, false, "user namespaces are off (max_user_namespaces is 0)"},
		{"another kind is turned off", start(unix.ENOSPC), map[string]string{"user/max_user_namespaces": "99", "user/max_net_namespaces": "0"}, false, "net namespaces are off (max_net_namespaces is 0)"},
		{"the limit is reached", start(unix.ENOSPC), map[string]string{"user/max_user_namespaces": "99"}, false, "no more user namespaces can be made"},
		{"a chroot", start(unix.EPERM), nil, true, "the kernel makes no user namespaces in a chroot"},
		{"Debian's setting", start(unix.EPERM), map[string]string{"kernel/unprivileged_userns_clone": "0"}, false, "user namespaces are off for ordinary users (unprivileged_userns_clone is 0)"},
		{"Ubuntu's setting", start(unix.EPERM), map[string]string{"kernel/apparmor_restrict_unprivileged_userns": "1"}, false, "AppArmor keeps user namespaces from this program (apparmor_restrict_unprivileged_userns is 1)"},
		{"a filter", start(unix.EPERM), map[string]string{"kernel/unprivileged_userns_clone": "1"}, false, "user namespaces are denied here, perhaps by a filter of system calls as in Docker"},
		{"a filter that feigns an old kernel", start(unix.ENOSYS), nil, false, "a filter of system calls denies namespaces, as in Docker"},
		{"an old kernel", start(unix.EINVAL), nil, false, "the kernel was built without namespaces"},
		{"another error of the start", start(unix.EACCES), nil, false, "container: fork/exec /proc/self/exe: permission denied"},
		{"a full disk stays one", &os.PathError{Op: "mkdir", Path: "/tmp/x", Err: unix.ENOSPC}, nil, false, "mkdir /tmp/x: no space left on device"},
	} {
		got := explained(tt.err, func(name string) string { return tt.settings[name] }, func() bool { return tt.jailed })
		if got.Error() != tt.want || !errors.Is(got, errors.Unwrap(tt.err)) {
			t.Errorf("%s: %v, want %s", tt.why, got, tt.want)
		}
	}
}
