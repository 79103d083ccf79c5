package problem

import "strings"

// UnknownLicense is the license of a problem about which its authors say nothing.
const UnknownLicense = "unknown"

// Licenses returns the licenses that problem packages can have. Problem files have the same.
func Licenses() []string {
	return []string{UnknownLicense, "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"}
}

// LicenseOf returns the one of [Licenses] that a text means, such as cc by-sa for CC-BY-SA 4.0; "" for
// none. Case, white space, hyphens and a version do not matter.
func LicenseOf(text string) string {
	plain := func(s string) string {
		s = strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(s))
		words := strings.Fields(s)
		if n := len(words); n > 1 && strings.Trim(words[n-1], "0123456789.") == "" {
			words = words[:n-1]
		}
		return strings.Join(words, "")
	}
	if strings.TrimSpace(text) == "" {
		return ""
	}
	for _, l := range Licenses() {
		if plain(l) == plain(text) {
			return l
		}
	}
	return ""
}
