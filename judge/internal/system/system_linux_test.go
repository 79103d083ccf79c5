package system

import (
	"strings"
	"testing"
)

func TestCPUModel(t *testing.T) {
	t.Parallel()
	const x86 = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\ncpu MHz\t\t: 2600.000\nflags\t\t: fpu vme\n\nprocessor\t: 1\nmodel name\t: other\n"
	if got := cpuModel(strings.NewReader(x86)); got != "vendor_id: AuthenticAMD\nmodel name: AMD EPYC\n" {
		t.Errorf("an x86 is %q", got)
	}
	const arm = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
	if got := cpuModel(strings.NewReader(arm)); got != "CPU implementer: 0x41\nCPU part: 0xd0c\n" {
		t.Errorf("an ARM is %q", got)
	}
}
