package casedata

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// drawFolder is the folder of a draw program with the files that it reads.
var drawFolder = sandbox.Folder{Path: "/draw", Size: 2 * limits.GiB, Mode: 0o755}

// Draw returns the picture that the problem's draw program makes of a prepared case: of its input,
// its expected output and, if it is not nil, a submission's output. A program that fails or that
// prints something else than a picture is an error located at the case.
func (p *Provider) Draw(ctx context.Context, c *cases.Case, output []byte) ([]byte, error) {
	f, err := p.Load(ctx, c)
	if err != nil {
		return nil, err
	}
	program, err := p.Program(ctx, p.Problem.Draw)
	if err != nil {
		return nil, err
	}
	var picture bytes.Buffer
	job := run.Job{Program: program, Folder: drawFolder, Stdout: &picture, Limits: limits.Validator}
	add := func(name string, data content.Content) {
		job.In = append(job.In, runner.File{Name: name, Mode: 0o444, Content: data})
		job.Args = append(job.Args, sandbox.Anywhere.Path(drawFolder.Path+"/"+name))
	}
	add("input", f.Input)
	add("answer", f.Want)
	if output != nil {
		add("output", content.Of(output))
	}
	o := p.Pool.Run(ctx, job)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case o.Err != nil:
		return nil, fmt.Errorf("%s: %w", p.Problem.Draw, o.Err)
	case !o.OK(job.Limits):
		return nil, c.Errorf("", "", "%s: %s", p.Problem.Draw, Cause(o, job.Limits))
	}
	if err := checkPicture(picture.Bytes()); err != nil {
		return nil, c.Errorf("", "a draw program prints one SVG picture without scripts", "%s: %v", p.Problem.Draw, err)
	}
	return picture.Bytes(), nil
}

// checkPicture returns an error unless the text is one well-formed SVG document without scripts. A
// picture can show anything that a submission printed, and browsers run the scripts of pictures.
func checkPicture(text []byte) error {
	root := false
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && root:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("prints no SVG")
		case err != nil:
			return fmt.Errorf("prints no SVG: %w", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !root && (e.Name.Local != "svg" || e.Name.Space != "http://www.w3.org/2000/svg") {
			return fmt.Errorf("prints no SVG: the first element is %.20q", e.Name.Local)
		}
		root = true
		if strings.EqualFold(e.Name.Local, "script") {
			return errors.New("prints an SVG with a script")
		}
		for _, a := range e.Attr {
			if name, value := strings.ToLower(a.Name.Local), strings.ToLower(strings.TrimSpace(a.Value)); strings.HasPrefix(name, "on") || strings.HasPrefix(value, "javascript:") {
				return fmt.Errorf("prints an SVG with a script in the attribute %.20s", a.Name.Local)
			}
		}
	}
}
