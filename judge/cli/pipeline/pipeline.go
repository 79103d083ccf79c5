// Package pipeline writes the files with which CI services check the problems of a repository.
package pipeline

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Service is a CI service, or Docker, for which there is a file.
type Service string

const (
	GitHub  Service = "github"
	GitLab  Service = "gitlab"
	Forgejo Service = "forgejo"
	Docker  Service = "docker" // an image with the judge and all languages
)

func Services() []Service { return []Service{GitHub, GitLab, Forgejo, Docker} }

// Place returns the path in a repository where the service looks for the file.
func (s Service) Place() string {
	return map[Service]string{
		GitHub: ".github/workflows/problems.yml", GitLab: ".gitlab-ci.yml", Forgejo: ".forgejo/workflows/problems.yml", Docker: "Dockerfile",
	}[s]
}

// Options says what the files install.
type Options struct {
	Go       string   // version of Go, such as 1.26
	Install  string   // shell command that puts the judge into the folder bin of GOPATH; "" for that of [Variable]
	Packages []string // what installs each language: names of Debian packages, or "PACKAGES, and COMMAND"
}

// Variable is the variable of the CI service that says which judge a workflow installs, as a
// module@version, if nothing else does.
const Variable = "JUDGE_MODULE"

//go:embed files
var files embed.FS

func File(s Service, o Options) (string, error) {
	name := map[Service]string{GitHub: "github.yml", Forgejo: "github.yml", GitLab: "gitlab.yml", Docker: "Dockerfile"}[s]
	if name == "" {
		return "", fmt.Errorf("unknown service %q", s)
	}
	t, err := template.ParseFS(files, "files/"+name)
	if err != nil {
		return "", err
	}
	list, commands := install(o.Packages)
	fromVariable := o.Install == ""
	if fromVariable {
		o.Install = fmt.Sprintf(`CGO_ENABLED=0 go install "${%s:?set this variable of the repository to a module@version of the judge}"`, Variable)
	}
	report := "terminal"
	if s == GitHub { // Forgejo has no annotations
		report = "github"
	}
	var b strings.Builder
	err = t.Execute(&b, map[string]any{
		"Service": s, "Go": o.Go, "Install": o.Install, "Report": report, "Variable": Variable, "FromVariable": fromVariable,
		"List": list, "Packages": strings.Join(list, " "), "Commands": commands,
	})
	return b.String(), err
}

// Only names and commands that mean the same in YAML, in a Dockerfile and in a shell get into the
// files.
var (
	packageName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]+$`) })
	plainCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]+[a-zA-Z0-9 @/.+=_-]+$`) })
)

// install splits what installs the languages into Debian packages, sorted, and further commands. It
// leaves out addresses: the files install Go in their own way.
func install(languages []string) (packages, commands []string) {
	for _, text := range languages {
		names, command, more := strings.Cut(text, ", and ")
		if strings.HasPrefix(text, "https://") {
			continue
		}
		packages = append(packages, strings.Fields(names)...)
		if more && !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	packages = slices.DeleteFunc(packages, func(name string) bool { return !packageName().MatchString(name) })
	commands = slices.DeleteFunc(commands, func(line string) bool { return !plainCommand().MatchString(line) })
	slices.Sort(packages)
	return slices.Compact(packages), commands
}
