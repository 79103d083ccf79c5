package format

import (
	"io"
	"net/url"
	"path"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/version"
)

// The types below are the parts of SARIF 2.1.0 that the judge writes
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/).

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string    `json:"id"`
	Text sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPlace `json:"physicalLocation"`
}

type sarifPlace struct {
	File   sarifFile    `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifFile struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

// writeSARIF writes annotations as a SARIF log with one run. Notes are notifications of the run.
func writeSARIF(w io.Writer, a Annotations) error {
	run := sarifRun{Tool: sarifDriverOf(a.Command), Invocations: []sarifInvocation{{Successful: !a.Partial}}}
	for _, r := range a.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r[0], sarifText{r[1]}})
	}
	for _, text := range a.Notes {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"note", sarifText{text}})
	}
	names := a.fingerprints()
	for i, n := range a.List {
		result := sarifResult{
			Rule: n.rule, Level: "error", Message: sarifText{n.text},
			Locations: []sarifLocation{{sarifPlace{File: sarifFileOf(n.file)}}}, Fingerprints: map[string]string{"finding/v1": names[i]},
		}
		if n.warning {
			result.Level = "warning"
		}
		if n.line > 0 {
			result.Locations[0].Physical.Region = &sarifRegion{n.line}
		}
		run.Results = append(run.Results, result)
	}
	return document.Write(w, sarifLogOf(run))
}

// sarifError writes the errors of a failed command as a SARIF log without results.
func sarifError(w io.Writer, errors []string) error {
	run := sarifRun{Tool: sarifDriverOf("judge"), Invocations: []sarifInvocation{{}}}
	for _, text := range errors {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"error", sarifText{layout.Word(text)}})
	}
	return document.Write(w, sarifLogOf(run))
}

func sarifLogOf(run sarifRun) sarifLog {
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func sarifDriverOf(command string) sarifTool {
	return sarifTool{sarifDriver{Name: command, Version: version.Build()}}
}

// sarifFileOf returns the location of a file. Relative paths are resolved against %SRCROOT%, by which
// code scanning understands the root of the checkout.
func sarifFileOf(file string) sarifFile {
	if path.IsAbs(file) {
		return sarifFile{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifFile{(&url.URL{Path: file}).String(), "%SRCROOT%"}
}
