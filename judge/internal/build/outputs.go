package build

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/outputs"
)

// Outputs is the language of a submission that consists of outputs instead of a program.
const Outputs = "outputs"

// SubmittedOutputs reads a contestant's submission to a problem whose submissions are outputs with these
// names: a file, a folder or a zip archive. Otherwise it is like [Submission]: what is no such submission
// becomes a source that is [Source.Refused]. The user must not give a language.
func SubmittedOutputs(name, language string, wanted []string, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	if language != "" {
		return nil, userErrorf("%s: outputs are in no language (hint: leave out --lang)", name)
	}
	return HandedIn(name, func() (*Source, error) {
		set, err := openOutputs(name, wanted, languages)
		return classify(&Source{Name: name, Language: Outputs, handed: set}, err)
	})
}

func openOutputs(name string, wanted []string, languages map[string]Language) (*outputs.Set, error) {
	f, info, err := openHandedIn(name)
	if err != nil {
		if _, unfit := errors.AsType[*UnfitError](err); !unfit {
			err = openError(name, err)
		}
		return nil, err
	}
	defer f.Close()
	set, err := outputs.Open(name, f, info, openHandedIn, wanted)
	if err == nil && set.Lone() {
		for _, l := range languages {
			if slices.Contains(l.Match, filepath.Ext(name)) {
				err = fmt.Errorf("a program, but submissions to this problem are outputs (hint: submit %s and the others in a folder or a zip archive)", wanted[0])
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return set, nil
}

// Outputs returns the outputs that were submitted instead of a program; nil for a program.
func (p *Program) Outputs() *outputs.Set { return p.outputs }
