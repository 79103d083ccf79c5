package build

import (
	"os"
	"path/filepath"
)

// venvOf returns the virtual environment of Python (PEP 405) to which an interpreter belongs; "" if it
// belongs to none.
func venvOf(interpreter string) string {
	root := filepath.Dir(filepath.Dir(interpreter))
	if info, err := os.Stat(filepath.Join(root, venvFile)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return root
}

// venvFile is the file that makes a folder a virtual environment.
const venvFile = "pyvenv.cfg"

// Packages returns the folder of the modules that are installed in the virtual environment; "" if there is
// none.
func (t *toolchain) Packages() string {
	if t.Venv == "" {
		return ""
	}
	return filepath.Join(t.Venv, "lib")
}
