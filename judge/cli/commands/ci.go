package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/pipeline"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/version"
)

// neededGo is the version of Go that builds the judge and the programs of problems.
const neededGo = "1.26"

type ciOptions struct {
	*cli.App
	module, out string
}

func CICommand(o *cli.App) *cobra.Command {
	c := &ciOptions{App: o}
	var services []string
	for _, s := range pipeline.Services() {
		services = append(services, string(s))
	}
	cmd := &cobra.Command{
		Use:   "ci github|gitlab|forgejo|docker",
		Short: "Print the file with which a CI service checks the problems",
		Long: `Print the file with which a CI service checks the problems of the repository, by judge
verify: a workflow for GitHub, GitLab or Forgejo, which installs the judge and the
languages whose files the repository has, or a Dockerfile with all languages of
runner.yaml.

With -o the file goes where the service looks for it. A file that exists is not replaced.`,
		Example:   "  judge ci github -o\n  judge ci gitlab --module example.org/tribunal/judge@v1.2.0\n  judge ci docker > Dockerfile",
		ValidArgs: services,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(services, args[0]) {
				return cli.Usage(fmt.Errorf("ci needs one of %s (hint: judge ci github)", cli.List(pipeline.Services())))
			}
			return c.run(pipeline.Service(args[0]))
		},
	}
	cmd.Flags().StringVar(&c.module, "module", "", "go install the judge from this `module@version` (default: the repository, if it holds the judge, or the version of this judge, or a variable of the service)")
	cmd.Flags().StringVarP(&c.out, "output", "o", "", "write to this `file`")
	cmd.Flags().Lookup("output").NoOptDefVal = placeDefault
	return cmd
}

// placeDefault is the value of --output without a file.
const placeDefault = "auto"

// moduleVersion matches what go install accepts. The words go into a shell command.
var moduleVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._~/-]+@[A-Za-z0-9._+-]+$`) })

func (c *ciOptions) run(service pipeline.Service) error {
	root, err := c.FindRoot()
	if err != nil {
		return err
	}
	conf, err := config.Load(root)
	if err != nil {
		return err
	}
	install, err := installJudge(root, c.module)
	if err != nil {
		return err
	}
	if install == fromRepository && service == pipeline.Docker {
		install += " ./judge/judged" // an image is also for services
	}
	if install == "" && service == pipeline.Docker {
		return cli.Usage(errors.New("the repository does not hold the judge (hint: say where Docker gets it, as in --module example.org/tribunal/judge@v1.2.0)"))
	}
	extensions, err := extensionsIn(root)
	if err != nil {
		return err
	}
	text, err := ciFile(service, install, conf.Build.Languages, func(l build.Language) bool {
		return service == pipeline.Docker || slices.ContainsFunc(l.Match, func(ext string) bool { return extensions[ext] })
	})
	if err != nil {
		return err
	}
	if c.out == "" {
		_, err := c.Std.Out.Write([]byte(text))
		return err
	}
	file := c.out
	if file == placeDefault {
		file = filepath.Join(root, filepath.FromSlash(service.Place()))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return cli.Usage(fmt.Errorf("-o: %w (hint: name a file, as in --output=FILE)", err))
		}
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return cli.Usage(fmt.Errorf("-o: %s: %w (hint: remove it first, or name another file)", file, cmp.Or(err, fs.ErrExist)))
	}
	if err := cli.WriteFile("-o", file, []byte(text)); err != nil {
		return err
	}
	return c.Std.Print("%s\n", file)
}

// fromRepository installs the judge from the repository that holds it.
const fromRepository = "CGO_ENABLED=0 go install ./judge"

// installJudge returns the shell command with which CI installs the judge for the repository at root:
// from module, a module@version, if that is not ""; from the repository, if it holds the judge; or else
// the release that this judge is. It is "" if this judge is no release.
func installJudge(root, module string) (string, error) {
	if module != "" && !moduleVersion().MatchString(module) {
		return "", cli.Usage(fmt.Errorf("--module %s: want a path and a version (hint: such as example.org/tribunal/judge@v1.2.0)", module))
	}
	if module == "" {
		if _, err := os.Stat(filepath.Join(root, "judge", "main.go")); err == nil {
			return fromRepository, nil
		}
		module = version.Release()
	}
	if module == "" {
		return "", nil
	}
	return "CGO_ENABLED=0 go install " + module, nil
}

// ciFile returns the file for a CI service, which installs the judge and the languages that are used.
func ciFile(service pipeline.Service, install string, languages map[string]build.Language, used func(build.Language) bool) (string, error) {
	var packages []string
	for _, name := range slices.Sorted(maps.Keys(languages)) {
		if l := languages[name]; used(l) {
			packages = append(packages, l.Package)
		}
	}
	return pipeline.File(service, pipeline.Options{Go: neededGo, Install: install, Packages: packages})
}

// extensionsIn returns the extensions of the files in a repository, whose languages CI must have.
func extensionsIn(root string) (map[string]bool, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return cli.Usage(err)
		}
		if entry.IsDir() && path != root && (entry.Name()[0] == '.' || entry.Name() == keptFolder) {
			return fs.SkipDir
		}
		found[filepath.Ext(path)] = true
		return nil
	})
	return found, err
}
