package format

import (
	"io"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/document"
)

// The types below are an entry of a code quality report of GitLab
// (https://docs.gitlab.com/ci/testing/code_quality/).

type gitlabEntry struct {
	Text        string      `json:"description"`
	Check       string      `json:"check_name"`
	Fingerprint string      `json:"fingerprint"`
	Severity    string      `json:"severity"`
	Place       gitlabPlace `json:"location"`
}

type gitlabPlace struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes annotations as a code quality report. The format has no place for notes. A
// finding about a whole file is shown at its first line.
func writeGitLab(w io.Writer, a Annotations) error {
	var list []gitlabEntry
	names := a.fingerprints()
	for i, n := range a.List {
		e := gitlabEntry{n.text, n.rule, names[i], "major", gitlabPlace{layout.Word(n.file), gitlabLines{max(n.line, 1)}}}
		if n.warning {
			e.Severity = "minor"
		}
		list = append(list, e)
	}
	return document.Write(w, list)
}
