package eval

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

// liveCodeBench is a problem of LiveCodeBench (Jain et al., arXiv:2403.07974), in the shape of the files
// test*.jsonl of the data set livecodebench/code_generation_lite of Hugging Face. The fields are those of
// CodeGenerationProblem in lcb_runner/benchmarks/code_generation.py of
// github.com/LiveCodeBench/LiveCodeBench: test cases and metadata are texts that hold JSON. The private
// test cases may also be a pickle of such a text, compressed by zlib, in base64.
//
// A test of the type functional calls the function that metadata names as func_name: each line of its
// input is an argument in JSON, and its output is the function's result in JSON.
type liveCodeBench struct {
	ID       text          `json:"question_id"`
	Public   embedded      `json:"public_test_cases"`
	Private  embedded      `json:"private_test_cases"`
	Metadata embedded      `json:"metadata"`
	Programs []programLine `json:"programs"`
}

// liveTime is the default of the time limit of each test in lcb_runner/runner/parser.py.
const liveTime = 6 * time.Second

func parseLiveCodeBench(line []byte) (p parsed, err error) {
	var l liveCodeBench
	err = decode(line, &l)
	p.ID = string(l.ID)
	if err != nil {
		return p, err
	}
	p.language, p.programs, p.Compare, p.Limits = "python3", l.Programs, sameNumbers, limits.Limits{CPU: liveTime}
	var metadata struct {
		Function string `json:"func_name"`
	}
	if !l.Metadata.empty() {
		if err := decode(l.Metadata, &metadata); err != nil {
			return p, within("metadata", err)
		}
	}
	for _, group := range []struct {
		key, name string
		data      embedded
	}{{"public_test_cases", "public", l.Public}, {"private_test_cases", "private", l.Private}} {
		if err := p.liveTests(group.name, group.data, metadata.Function); err != nil {
			return p, within(group.key, err)
		}
	}
	return p, nil
}

// liveTests adds tests. Functional ones call function.
func (p *parsed) liveTests(group string, data embedded, function string) error {
	if data.empty() {
		return nil
	}
	if first := bytes.TrimSpace(data)[0]; first != '[' {
		var err error
		if data, err = unpacked(data); err != nil {
			return err
		}
	}
	var tests []struct {
		Input  string `json:"input"`
		Output string `json:"output"`
		Type   string `json:"testtype"`
	}
	if err := decode(data, &tests); err != nil {
		return err
	}
	for i, t := range tests {
		test := Test{group + "/" + strconv.Itoa(i+1), t.Input, t.Output}
		var err error
		switch {
		case t.Type != "stdin" && t.Type != "functional":
			err = wrongf("the types are stdin and functional", "unknown type %q", t.Type)
		case t.Type == "functional" && p.Function == nil && len(p.Tests) > 0, t.Type == "stdin" && p.Function != nil:
			err = wrongf("", "of the type %s, unlike the first test", t.Type)
		case t.Type == "functional":
			if p.Function, err = newFunction(function, false); err == nil {
				test.Output, err = returned([]byte(t.Output), false)
			}
		}
		if err != nil {
			return within("test "+test.Name, err)
		}
		p.Tests = append(p.Tests, test)
	}
	return nil
}

// maxUnpacked is the largest size of compressed test cases. Some problems have 100 MB of them.
const maxUnpacked = 512 * limits.MiB

// unpacked returns the text in a pickle that was compressed and written in base64.
func unpacked(data []byte) ([]byte, error) {
	const hint = "they are JSON, or a pickle of JSON, compressed by zlib, in base64"
	r, err := zlib.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	if err != nil {
		return nil, wrongf(hint, "neither a list nor compressed test cases: %v", err)
	}
	whole, err := io.ReadAll(io.LimitReader(r, int64(maxUnpacked)+1))
	if err != nil {
		return nil, wrongf(hint, "damaged: %v", err)
	}
	if len(whole) > int(maxUnpacked) {
		return nil, wrongf("", "more than %v", limits.Bytes(maxUnpacked))
	}
	return pickledText(whole)
}
