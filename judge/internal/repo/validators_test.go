package repo

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// TestResolve checks settings of cases that name validators of the problem, or give them arguments.
func TestResolve(t *testing.T) {
	t.Parallel()
	const several = "output_validators: [{name: form}, {name: even}]\ninput_validators: [{name: word}]\nanswer_validators: [{name: number}]\n"
	for _, tt := range []struct{ why, problem, key, want string }{
		{"one of several", several, "output_validator: even", ""},
		{"an unknown output validator", several, "output_validator: odd", "no output validator is called odd (hint: they are form, even)"},
		{"the only one", "output_validators: [{name: a}]\n", "output_validator: a", ""},
		{"an output validator of a problem without any", "", "output_validator: odd", "no output validator is called odd (hint: the problem has none)"},
		{"an input validator", several, "input_validator_args: {word: [a]}", ""},
		{"an unknown input validator", several, "input_validator_args: {words: [a]}", "no input validator is called words (hint: they are word)"},
		{"an answer validator", several, "answer_validator_args: {number: [a]}", ""},
		{"an unknown answer validator", several, "answer_validator_args: {word: [a]}", "no answer validator is called word (hint: they are number)"},
		{"flags of a validator", several, "output_validator_args: [anything]", ""},
		{"flags of the default validator", "", "output_validator_args: [float_tolerance, 1e-6]", ""},
		{"unknown flags of the default validator", "", "output_validator_args: [anything]", `unknown flag "anything" (hint: `},
	} {
		root := repository(t, map[string]string{
			"problems/maze.yaml":     head + tt.problem + tail,
			"cases/maze/sample.yaml": "cases:\n  - name: a\n    input: x\n    " + tt.key + "\n...\n",
		})
		p, err := Load(root, "maze")
		if err != nil {
			t.Fatal(err)
		}
		set, err := p.Cases()
		if tt.want != "" {
			if want := root + "/cases/maze/sample.yaml:4: case a: " + tt.want; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: got  %v\nwant %s", tt.why, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if got, own := set.Cases[0].Compare, strings.Contains(tt.key, "float"); (got != nil) != own || own && got.Abs != 1e-6 {
			t.Errorf("%s: compared as %+v", tt.why, got)
		}
	}
}

// TestRuns checks that validators are refused if they do not fit the type of the problem.
func TestRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, data string
		want      problem.Validator
		derives   bool
	}{
		{"one output validator", "output_validators: [{name: a}]\n", problem.Validator{Program: "a", Protocol: problem.ICPC, Always: true}, true},
		{"all limits", "output_validators: [{name: a}]\nlimits: {cpu: 1s, memory: 64MiB, validation_time: 5s, validation_memory: 32MiB, validation_output: 1KiB}\n",
			problem.Validator{Program: "a", Protocol: problem.ICPC, Always: true, Limits: limits.Limits{CPU: 5 * time.Second, Wall: 10 * time.Second, Memory: 32 * limits.MiB, Output: limits.KiB, Processes: limits.Processes}}, true},
		{"interactive", "type: [pass-fail, interactive]\noutput_validators: [{name: a}]\n", problem.Validator{Program: "a", Protocol: problem.ICPC, Always: true, Interactive: true}, false},
		{"multi-pass and interactive", "type: [multi-pass, interactive]\noutput_validators: [{name: a}]\nlimits: {cpu: 1s, memory: 64MiB, validation_passes: 7}\n", problem.Validator{Program: "a", Protocol: problem.ICPC, Always: true, Interactive: true, Passes: 7}, false},
		{"two passes by default", "type: [multi-pass]\noutput_validators: [{name: a}]\n", problem.Validator{Program: "a", Protocol: problem.ICPC, Always: true, Passes: 2}, false},
		{"an interactor and a validator", "type: [interactive]\noutput_validators: [{name: a, protocol: testlib}, {name: b, protocol: testlib}]\n",
			problem.Validator{Program: "a", Protocol: problem.Testlib, Always: true, Interactive: true, Then: &problem.Validator{Program: "b", Protocol: problem.Testlib, Always: true}}, false},
	} {
		data := head
		if strings.Contains(tt.data, "limits:") {
			data = head[:strings.Index(head, "limits:")]
		}
		root := repository(t, map[string]string{"problems/maze.yaml": data + tt.data + tail, "cases/maze/sample.yaml": "cases:\n  - name: a\n    input: x\n...\n"})
		p, err := Load(root, "maze")
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		got := *p.Validator
		for v := &got; v != nil; v = v.Then {
			v.Program = filepath.Base(v.Program)
		}
		if d := cmp.Diff(tt.want, got); d != "" || p.Derives() != tt.derives {
			t.Errorf("%s: derives %v\n%s", tt.why, p.Derives(), d)
		}
		set, err := p.Cases()
		if err != nil {
			t.Fatal(err)
		}
		if c := set.Cases[0]; (c.Output != nil && *c.Output == "" && c.Pinned) == tt.derives {
			t.Errorf("%s: the answer of a case without one is %+v", tt.why, c)
		}
	}
}
