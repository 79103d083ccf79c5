package dmoj

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/yamlloose"
)

// meta reads what judge export notes in init.yml of what DMOJ keeps in its database: the title, the
// time limit in seconds and the memory limit in KiB. To DMOJ itself meta is any data for graders.
func (d *reader) meta() error {
	v := d.top.get("meta")
	if v == nil || !v.IsMapping() {
		return nil
	}
	keys, err := d.plain(*v)
	if err != nil {
		return err
	}
	if name := keys.get("name"); name != nil {
		if d.p.Title, err = name.Text(); err != nil {
			return err
		}
	}
	if t := keys.get("time_limit"); t != nil {
		text, err := t.Text()
		if err == nil {
			err = d.p.OfferTime(initFile, t.Line(), text)
		}
		if err != nil {
			return err
		}
	}
	if m := keys.get("memory_limit"); m != nil {
		if d.p.Limits.Memory, err = m.Bytes(limits.KiB); err != nil {
			return err
		}
	}
	return nil
}

// validator reads the input validator, with the arguments that DMOJ gives it in each case.
func (d *reader) validator() error {
	v := d.top.get("validator")
	if v == nil {
		return nil
	}
	args, err := d.plain(*v)
	if err != nil {
		return err
	}
	kind, err := args.text("type")
	if err != nil {
		return err
	}
	source := args.get("source")
	if own := args.get("args_format_string"); source == nil || own != nil || !slices.Contains([]string{"", "default", "testlib"}, kind) {
		d.p.Note(initFile, v.Line(), "not used: a validator needs a source, the type default or testlib, and no args_format_string")
		return nil
	}
	rel, err := d.program(source)
	if err != nil {
		return err
	}
	d.p.InputPrograms = append(d.p.InputPrograms, rel)
	for i, c := range d.p.Cases {
		batch := 0
		if number, is := strings.CutPrefix(c.Group, "batch"); is {
			_, _ = fmt.Sscan(number, &batch)
		}
		if c.InputArgs.All = []string{fmt.Sprint(batch), fmt.Sprint(i)}; kind == "testlib" {
			c.InputArgs.All = []string{"--group", fmt.Sprintf("st%d", batch)}
		}
	}
	return nil
}

// packagePath returns the path in the package or its archive that a value is.
func packagePath(v *yamlloose.Node) (string, error) {
	name, err := v.Text()
	if err != nil {
		return "", err
	}
	return cleanPath(v, name)
}

// cleanPath returns the path in the package that name, a part of a value, is.
func cleanPath(v *yamlloose.Node, name string) (string, error) {
	rel := path.Clean(name)
	if !fs.ValidPath(rel) {
		return "", v.Wrong("", "%s is no path in the package", quote.Name(name))
	}
	return rel, nil
}

// file returns the path of a file of the package, outside of the archive, that a value names.
func (d *reader) file(v *yamlloose.Node) (string, error) {
	rel, err := packagePath(v)
	if err != nil {
		return "", err
	}
	file, _, err := d.p.Tree.Kind(rel)
	if err == nil && !file {
		err = v.Wrong("add it", "%s is not in the package", quote.Name(rel))
	}
	return rel, err
}

// program returns the path of a program that a value names: a file, a folder, which DMOJ itself cannot
// read, or a list of sources and the headers that they include.
func (d *reader) program(v *yamlloose.Node) (string, error) {
	list := []*yamlloose.Node{v}
	if items := v.Items(); items != nil {
		list = items
	} else if name, err := v.Text(); err == nil && fs.ValidPath(name) {
		if _, dir, err := d.p.Tree.Kind(name); err != nil || dir {
			return name, err
		}
	}
	var sources []string
	for _, one := range list {
		rel, err := d.file(one)
		if err != nil {
			return "", err
		}
		ext := path.Ext(rel)
		if header := slices.Contains([]string{".h", ".hh", ".hpp", ".hxx"}, ext); !header {
			sources = append(sources, rel)
		} else if !slices.Contains(d.p.Validation.Headers, rel) {
			d.p.Validation.Headers = append(d.p.Validation.Headers, rel)
		}
	}
	if sources == nil {
		return "", v.Wrong("", "no source")
	}
	d.p.Describe(sources[0]).Files = sources
	return sources[0], nil
}
