package problem

import "testing"

func TestLicenseOf(t *testing.T) {
	t.Parallel()
	for _, l := range Licenses() {
		if got := LicenseOf(l); got != l {
			t.Errorf("%s: %q", l, got)
		}
	}
	for _, tt := range []struct{ why, text, want string }{
		{"as Creative Commons writes it", "CC BY-SA", "cc by-sa"},
		{"with a version", "CC BY-SA 4.0", "cc by-sa"},
		{"with hyphens and a version", "cc-by 3.0", "cc by"},
		{"in one word", "publicdomain", "public domain"},
		{"as SPDX writes it", "CC-BY-4.0", "cc by"},
		{"white space", "  educational\n", "educational"},
		{"another restriction", "cc by-nc", ""},
		{"another license", "MIT", ""},
		{"a number alone", "4.0", ""},
		{"nothing", " ", ""},
	} {
		if got := LicenseOf(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
