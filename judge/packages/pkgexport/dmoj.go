package pkgexport

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// dmoj plans a problem of DMOJ: init.yml and the files that it names.
func (p *plan) dmoj() error {
	p.noteLimits()
	if err := p.checkCases(); err != nil {
		return err
	}
	p.noteUnknown(false)
	q := p.Problem
	p.note("the title and the limits of time and memory are in init.yml, below meta: DMOJ keeps them in its database")
	if slices.ContainsFunc(p.Cases, func(c cases.Case) bool { return c.Note != "" }) {
		p.note("left out: the notes of cases")
	}
	judging, err := p.dmojJudging()
	if err != nil {
		return err
	}
	validator, err := p.dmojValidator()
	if err != nil {
		return err
	}
	list, err := p.blocks()
	if err != nil {
		return err
	}
	memory := (q.Limits.Memory + limits.KiB - 1) / limits.KiB
	p.addText(".timelimit", seconds(q.Limits.CPU)+"\n")
	p.addText("init.yml", fmt.Sprintf(`# DMOJ keeps what is below meta in its database: the time limit in seconds, the memory limit in KiB.
meta: {name: %s, time_limit: %s, memory_limit: %d}
output_limit_length: %d
binary_data: true # every byte of the files counts
%s%stest_cases:
%s`, quoted(q.Title), seconds(q.Limits.CPU), int64(memory), int64(q.Limits.Output), judging, validator, p.blockLines(list)))
	samples, _ := p.splitSamples()
	if p.ownStatement() {
		p.addFile("statements/problem."+p.language()+".md", p.plainText(samples))
	}
	if err := p.statements("statements", ".", localized); err != nil {
		return err
	}
	return p.kattisSubmissions()
}

// dmojJudging returns the lines of init.yml that say how outputs are judged, and plans the programs
// for it.
func (p *plan) dmojJudging() (string, error) {
	q := p.Problem
	list := p.outputValidators()
	switch {
	case q.MultiPass():
		return "", q.Errorf("type", p.exportHint(Kattis), "this format has no multi-pass problems")
	case len(list) > 1 && !q.Interactive():
		return "", q.Errorf("output_validators", p.exportHint(Legacy), "this format has only one checker")
	case q.Checker():
		check, err := p.ownProgram(p.CaseData.Problem.Check)
		if err != nil {
			return "", err
		}
		return p.bridgedChecker(check, problem.ICPC, nil, limits.Limits{})
	case len(list) == 0:
		return p.comparison()
	}
	v := list[0]
	own, err := p.ownProgram(v.Program)
	protocol, args := v.Protocol, v.Flags
	if err == nil && len(list) > 1 { // the checker reads what the interactor writes
		own, err = p.asICPC(list)
		protocol = problem.ICPC
	}
	switch {
	case err != nil:
		return "", err
	case carried[protocol].testlib.checker == "" && len(args) > 0:
		return "", q.Errorf("output_validators", "build them into the program", "this format has no arguments for checkers and interactors")
	case !q.Interactive():
		return p.bridgedChecker(own, protocol, args, v.Limits)
	}
	files := p.addBridged("interactor", own, protocol, args)
	return fmt.Sprintf("unbuffered: true\ninteractive: {files: %s, type: testlib%s}\n", files, bridgedLimits(v.Limits, "preprocessing_time")), nil
}

func (p *plan) bridgedChecker(v *program, protocol problem.Protocol, args []string, l limits.Limits) (string, error) {
	if v.language == "go" && protocol == problem.ICPC && len(args) == 0 {
		own, err := v.withMain(checkerFront)
		if err != nil {
			return "", err
		}
		if single, ok := own.merged("checker.go"); ok {
			v, protocol = single, problem.Testlib
		}
	}
	files := p.addBridged("checker", v, protocol, args)
	return fmt.Sprintf("checker: {name: bridged, args: {files: %s, type: testlib%s}}\n", files, bridgedLimits(l, "time_limit")), nil
}

// bridgedLimits returns the arguments of a bridged program for its limits.
func bridgedLimits(l limits.Limits, timeKey string) string {
	text := ""
	if l.CPU > 0 {
		text += fmt.Sprintf(", %s: %s", timeKey, seconds(l.CPU))
	}
	if l.Memory > 0 {
		text += fmt.Sprintf(", memory_limit: %d", (l.Memory+limits.KiB-1)/limits.KiB)
	}
	return text
}

// comparison returns the checker that compares outputs as the problem does: one of DMOJ's own, or a
// program.
func (p *plan) comparison() (string, error) {
	o := p.Problem.Compare
	name, args := "", ""
	if precision, is := decimals(cmp.Or(o.Abs, o.Rel)); o.Mode == diff.Float && is && (o.Abs == 0 || o.Rel == 0 || o.Abs == o.Rel) {
		mode := "default"
		switch {
		case o.Rel == 0:
			mode = "absolute"
		case o.Abs == 0:
			mode = "relative"
		}
		name, args = "floats", fmt.Sprintf("precision: %d, error_mode: %s", precision, mode)
	} else if o.Mode == diff.Tokens {
		name = "standard"
	}
	switch {
	case o.Mode == diff.Exact && !o.FoldCase, o.Mode == diff.Tokens && o.Spaces && !o.FoldCase:
		return "checker: identical\n", nil
	case o.Spaces && (o.FoldCase || o.Mode == diff.Float):
		return "", p.Problem.Errorf("spaces", "use another format", "this format has no checker that compares white space but not every byte")
	case name == "" || o.FoldCase:
		p.addText("checker/compare.go", p.compareChecker())
		return "checker: {name: bridged, args: {files: checker/compare.go, type: testlib}}\n", nil
	}
	p.note("DMOJ's checker %s wants the same words on each line: where lines break does not count here", name)
	if args == "" {
		return "checker: " + name + "\n", nil
	}
	return "checker: {name: " + name + ", args: {" + args + "}}\n", nil
}

// decimals returns n if a tolerance is 10⁻ⁿ.
func decimals(tolerance float64) (n int, is bool) {
	if tolerance <= 0 {
		return 0, false
	}
	n = int(math.Round(-math.Log10(tolerance)))
	return n, n >= 0 && float(tolerance) == float(math.Pow10(-n))
}

// dmojValidator returns the line of init.yml with the input validator, which follows testlib.
func (p *plan) dmojValidator() (string, error) {
	line := ""
	for _, v := range p.inputValidators() {
		own, err := p.ownProgram(v.Program)
		if err != nil {
			return "", err
		}
		if line != "" || own.language == build.Checktestdata || carried[v.Protocol].testlib.validator == "" && len(v.Flags) > 0 {
			p.note("left out: the input validator %s: this format has one at most, without arguments of its own and not in Checktestdata", v.Name)
			continue
		}
		switch {
		case carried[v.Protocol].testlib.validator == "":
		case own.language == "go" && v.Program == p.CaseData.Problem.Check:
			if own, err = own.withMain(validatorFront); err != nil {
				return "", err
			}
			if single, ok := own.merged("validator.go"); ok {
				own = single
			}
		default:
			own = p.asTestlib(carried[v.Protocol].testlib.validator, own, v.Flags)
		}
		line = "validator: {source: " + p.addProgram("validator", own)
		if language := dmojLanguages[own.language]; own.native() {
			line += ", language: " + language
		}
		line += ", type: testlib}\n"
	}
	if len(p.Problem.AnswerValidators) > 0 {
		p.note("left out: the answer validators: this format has none")
	}
	return line, nil
}

// dmojLanguages maps languages to DMOJ's names of them.
var dmojLanguages = map[string]string{"c": "C11", "cpp": "CPP20", "go": "GO", "java": "JAVA", "python3": "PY3", "rust": "RUST", "pascal": "PAS", "kotlin": "KOTLIN"}

// addBridged plans a checker or an interactor in the folder dir. It returns the value of files in
// init.yml.
func (p *plan) addBridged(dir string, v *program, protocol problem.Protocol, args []string) string {
	if protocol == problem.ICPC && len(args) == 0 {
		if bridge, ok := v.bridged(dir == "interactor"); ok {
			v, protocol = bridge, problem.Testlib
		}
	}
	script := carried[protocol].testlib.checker
	if dir == "interactor" {
		script = carried[protocol].testlib.interactor
	}
	return p.addProgram(dir, p.asTestlib(script, v, args))
}

// addProgram plans a program in the folder dir, and returns its value in init.yml: its files, or the
// folder if DMOJ cannot compile them.
func (p *plan) addProgram(dir string, v *program) string {
	if v.native() {
		return p.addNative(dir, v)
	}
	p.note("DMOJ itself cannot run the %s %s/: it takes a program of one file, or of several in C or C++", dir, dir)
	p.addValidator(dir, v)
	return dir
}

// native reports whether DMOJ can compile the program: it has one file, or several in C or C++
// without folders.
func (v *program) native() bool {
	for name := range v.files {
		if strings.Contains(name, "/") {
			return false
		}
	}
	return dmojLanguages[v.language] != "" && (len(v.files) == 1 || v.language == "c" || v.language == "cpp")
}

// addNative plans the files of a native program in the folder dir, and returns their paths as a YAML
// value.
func (p *plan) addNative(dir string, v *program) string {
	var names []string
	for name, text := range v.files {
		names = append(names, dir+"/"+name)
		p.addBytes(dir+"/"+name, text)
	}
	slices.Sort(names)
	list := inBrackets(names)
	if plainPaths().MatchString(strings.Join(names, "")) {
		list = "[" + strings.Join(names, ", ") + "]"
	}
	if len(names) == 1 {
		return strings.Trim(list, "[]")
	}
	return list
}

var plainPaths = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./-]+$`) })

// bridged returns a program in C or C++ that follows the protocol of the ICPC formats with a source
// added that makes it follow testlib's.
func (v *program) bridged(interactor bool) (*program, bool) {
	ext := map[string]string{"c": ".c", "cpp": ".cpp"}[v.language]
	if ext == "" || v.files["bridge"+ext] != nil {
		return nil, false
	}
	kind, and, redirect := "checker", ", and the output as standard input", `	int output = open(argv[2], O_RDONLY);
	if (output < 0 || dup2(output, 0) < 0)
		_exit(3);
	close(output);
`
	if interactor {
		kind, and, redirect = "interactor", "", ""
	}
	w := &program{files: map[string][]byte{}, language: v.language, source: v.source}
	for name, text := range v.files {
		w.files[name] = text
	}
	text := strings.NewReplacer("{{kind}}", kind, "{{and}}", and, "{{redirect}}", redirect).Replace(bridgeSource)
	w.files["bridge"+ext] = []byte(text)
	return w, w.native()
}

//go:embed dmoj/bridge.c.txt
var bridgeSource string
