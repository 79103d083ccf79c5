package format

import (
	"io"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
)

// writeGitHub writes annotations as workflow commands of GitHub Actions, one per line, which the
// runner finds in the output of a step. Notes are notices.
func writeGitHub(w io.Writer, a Annotations) error {
	var b strings.Builder
	for _, n := range a.List {
		level := "error"
		if n.warning {
			level = "warning"
		}
		properties := "file=" + githubProperty(n.file)
		if n.line > 0 {
			properties += ",line=" + strconv.Itoa(n.line)
		}
		properties += ",title=" + githubProperty(a.Command+": "+n.rule)
		githubCommand(&b, level, properties, n.text)
	}
	for _, text := range a.Notes {
		githubCommand(&b, "notice", "title="+githubProperty(a.Command), text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// githubError writes the errors of a failed command.
func githubError(w io.Writer, errors []string) error {
	var b strings.Builder
	for _, text := range errors {
		githubCommand(&b, "error", "title=judge", layout.Word(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func githubCommand(b *strings.Builder, level, properties, text string) {
	b.WriteString("::" + level + " " + properties + "::" + githubText(text) + "\n")
}

// githubText escapes the text of a command. It has no line ends, because it is clean, and so only
// the sign of the escapes themselves is left.
func githubText(text string) string { return strings.ReplaceAll(text, "%", "%25") }

// githubProperty escapes a property of a command.
func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(layout.Word(text)))
}
