package engine

import (
	"errors"
	"fmt"
	"os"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/runner/remote"
	"tribunal/judge/internal/sandbox"
)

// RunnerVariable is the environment variable that holds the path of a runner service's socket;
// "none" means that programs run without a service.
const RunnerVariable = "TRIBUNAL_RUNNER"

// newRunner returns the runner of programs. The environment may name a runner service. If it does
// not, and this process has no control groups of its own, newRunner tries the service of this
// machine. Otherwise programs run in the sandbox of this process.
func (e *Engine) newRunner(slots int) (runner.Runner, error) {
	local := runner.NewLocal(e.Host, slots)
	path, named := os.LookupEnv(RunnerVariable)
	if path == "none" || !named && (e.Config.Mode != sandbox.Auto || e.Host.Exact()) {
		return local, nil
	}
	if !named {
		path = remote.DefaultPath
	}
	service, err := remote.Dial(path)
	switch {
	case err == nil:
		return service, nil
	case named:
		return nil, UserError{fmt.Errorf("%s: %w", RunnerVariable, err)}
	case !errors.Is(err, os.ErrNotExist):
		e.note("note: not using the runner service: %v", err)
	}
	return local, nil
}
